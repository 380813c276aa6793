import { spawnSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WrittenCredential } from "../../shared/credentials/credentials.ts";
import { freePorts, type Program, programPath, startProgram } from "./process.ts";
import type { TestServer } from "./server.ts";

export type SwiftServer = {
  /** One container by both of the service's protocols, a folder for each. */
  readonly s3: TestServer;
  readonly swift: TestServer;
  stop(): Promise<void>;
};

export const swiftLacks = (): string | undefined => {
  if (!programPath("swift-proxy-server")) return "OpenStack Swift is not installed";
  if (!programPath("memcached")) return "memcached, where Swift keeps its tokens, is not installed";
  return undefined;
};

const servers = ["account", "container", "object"] as const;
const secret = "testing-secret-of-the-store";

/** OpenStack Swift with its S3 interface, on one disk. */
export const startSwift = async (folder: string): Promise<SwiftServer> => {
  const [proxyPort = 0, cachePort = 0, ...ports] = await freePorts(2 + servers.length);
  await mkdir(join(folder, "disks", "d1"), { recursive: true });
  await chmod(folder, 0o755);
  await writeConfigs(folder, { proxyPort, cachePort, ports });
  const programs: Program[] = [];
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  programs.push(await startProgram("memcached", [...user, "-l", "127.0.0.1", "-p", String(cachePort)], cachePort));
  const backends = servers.map((name, index) =>
    startProgram(`swift-${name}-server`, [join(folder, `${name}.conf`)], ports[index] ?? 0),
  );
  programs.push(...(await Promise.all(backends)));
  const startProxy = () => startProgram("swift-proxy-server", [join(folder, "proxy.conf")], proxyPort);
  let proxy = await startProxy();
  const client = await createClient(`http://127.0.0.1:${proxyPort}`);
  await client.ask("PUT", "");
  const common = (path: string) => ({
    put: async (name: string, bytes: Buffer) => {
      await client.ask("PUT", `/${path}/${name}`, bytes);
    },
    get: (name: string) => client.read(`/${path}/${name}`),
    attributes: (name: string) => client.head(`/${path}/${name}`),
    kill: () => proxy.stop("SIGKILL"),
    restart: async () => {
      proxy = await startProxy();
    },
    stop: async () => undefined,
  });
  const endpoint = `http://127.0.0.1:${proxyPort}`;
  const s3 = (secret_access_key: string): WrittenCredential => ({
    ...{ kind: "s3", access_key_id: "test:tester", secret_access_key, endpoint, conditional_writes: true },
  });
  const auth_url = `${endpoint}/auth/v1.0`;
  const swift = (password: string): WrittenCredential => ({
    kind: "swift",
    auth_url,
    username: "test:tester",
    password,
  });
  return {
    s3: { folder: "s3://bucket/out", credential: s3(secret), wrong: s3("wrong"), ...common("out") },
    swift: { folder: "swift://bucket/own", credential: swift(secret), wrong: swift("wrong"), ...common("own") },
    stop: async () => {
      await proxy.stop("SIGKILL");
      for (const each of programs) await each.stop("SIGKILL");
    },
  };
};

const createClient = async (base: string) => {
  const headers = { "x-auth-user": "test:tester", "x-auth-key": secret };
  const login = async (tries: number): Promise<Response> => {
    const answer = await fetch(`${base}/auth/v1.0`, { headers });
    if (answer.ok || tries === 0) return answer;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return login(tries - 1);
  };
  /** Its parts answer later than its proxy. */
  const patiently = async (ask: () => Promise<Response>, tries = 30): Promise<Response> => {
    const answer = await ask();
    if (answer.status !== 503 || tries === 0) return answer;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return patiently(ask, tries - 1);
  };
  const { headers: said } = await login(30);
  const token = { "x-auth-token": said.get("x-auth-token") ?? "" };
  const url = (path: string) =>
    `${said.get("x-storage-url")}/bucket${path.split("/").map(encodeURIComponent).join("/")}`;
  return {
    ask: async (method: string, path: string, body?: Buffer) => {
      const wish = { method, headers: token, ...(body && { body: new Uint8Array(body) }) };
      const answer = await patiently(() => fetch(url(path), wish));
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    },
    head: async (path: string): Promise<Headers> =>
      (await fetch(url(path), { method: "HEAD", headers: token })).headers,
    read: async (path: string): Promise<Buffer | undefined> => {
      const answer = await fetch(url(path), { headers: token });
      return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
    },
  };
};

type Ports = { readonly proxyPort: number; readonly cachePort: number; readonly ports: readonly number[] };

/** One start of Python for all three: `swift-ring-builder` would be started nine times. */
const ringsProgram = `
import sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
for name, port in zip(${JSON.stringify(servers)}, ports):
    rings = RingBuilder(4, 1, 0)
    device = {"region": 1, "zone": 1, "weight": 1, "device": "d1", "meta": ""}
    address = {"ip": "127.0.0.1", "port": int(port), "replication_ip": "127.0.0.1", "replication_port": int(port)}
    rings.add_dev({**device, **address})
    rings.rebalance()
    rings.get_ring().save(f"{folder}/{name}.ring.gz")
`;

const writeConfigs = async (folder: string, { proxyPort, cachePort, ports }: Ports): Promise<void> => {
  const user = process.getuid?.() === 0 ? "root" : (process.env.USER ?? "nobody");
  const common = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${user}\nswift_dir = ${folder}\n` +
    `devices = ${folder}/disks\nmount_check = false\nfallocate_reserve = 0\n`;
  const { status, stderr } = spawnSync("/usr/bin/python3", ["-c", ringsProgram, folder, ...ports.map(String)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Swift's rings: ${stderr}`);
  for (const [index, name] of servers.entries()) {
    const port = ports[index] ?? 0;
    const app = `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`;
    await writeFile(join(folder, `${name}.conf`), common(port) + app);
  }
  await writeFile(
    join(folder, "swift.conf"),
    "[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n[storage-policy:0]\nname = one\ndefault = yes\n",
  );
  const filters = ["catch_errors", "copy", "slo", "dlo", "s3api"];
  await writeFile(
    join(folder, "proxy.conf"),
    `${common(proxyPort)}[pipeline:main]\npipeline = catch_errors cache s3api tempauth copy slo dlo proxy-server\n` +
      `[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\nerror_suppression_interval = 1\n` +
      `[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = ${secret} .admin\n` +
      `[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:${cachePort}\n` +
      filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`).join(""),
  );
};
