import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { nginxLacks, startNginx, type WebServer } from "./nginx.ts";
import type { TestServer } from "./server.ts";
import { type SshServer, sshdLacks, startSshd } from "./sshd.ts";
import { startSwift, swiftLacks } from "./swift.ts";
import { type FtpServer, startVsftpd, vsftpdLacks } from "./vsftpd.ts";

/** Why each kind of server cannot be started here. */
const lacks = { http: nginxLacks(), ftp: vsftpdLacks(), sftp: sshdLacks(), s3: swiftLacks(), swift: swiftLacks() };
export type ServerKind = keyof typeof lacks;

/** The kinds that can be started here; says aloud which cannot. */
export const serverKinds = (what: string): ServerKind[] => {
  const kinds = Object.keys(lacks) as ServerKind[]; // Object.keys forgets the names
  for (const kind of kinds) if (lacks[kind]) console.warn(`SKIPPED: ${what} of ${kind} is not tested: ${lacks[kind]}`);
  return kinds.filter((kind) => lacks[kind] === undefined);
};

type Servers = { readonly http: WebServer; readonly ftp: FtpServer; readonly sftp: SshServer } & Readonly<
  Record<"s3" | "swift", TestServer>
>;

/** Starts one server of each of these kinds; S3 and Swift are the two protocols of one. Folders are made below `folder`. */
export const startServers = async (
  folder: string,
  kinds: readonly ServerKind[],
): Promise<{ readonly servers: Partial<Servers>; stop(): Promise<void> }> => {
  await chmod(folder, 0o755); // servers open it as somebody else
  const own = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    return path;
  };
  const stops: (() => Promise<void>)[] = [];
  const servers: { -readonly [K in keyof Servers]?: Servers[K] } = {};
  const starts = {
    http: async () => (servers.http = await startNginx(await own("http"))),
    ftp: async () => (servers.ftp = await startVsftpd(await own("ftp"))),
    sftp: async () => (servers.sftp = await startSshd(await own("sftp"))),
    swift: async () => {
      const started = await startSwift(await own("swift"));
      Object.assign(servers, { s3: started.s3, swift: started.swift });
      return started;
    },
  };
  const wanted = new Set(kinds.map((kind) => (kind === "s3" ? "swift" : kind)));
  const started = await Promise.allSettled(
    [...wanted].map(async (kind) => {
      const server = await starts[kind]();
      stops.push(() => server.stop());
    }),
  );
  const stop = async () => {
    for (const each of stops) await each();
  };
  const failed = started.find((each) => each.status === "rejected");
  if (!failed) return { servers, stop };
  await stop();
  throw failed.reason;
};
