import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { makeCertificate, newKey } from "../../../coordinator/tls/certificate.ts";
import { inCi } from "../../helpers/long.ts";
import { exitOf } from "../../helpers/processes/farm-processes.ts";

const folder = join(import.meta.dirname, "../../../cli/package/image");
const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");
const files = ["compose.yaml", "node.yaml"];

describe("the compose files", () => {
  const services = { ...parse(textOf("compose.yaml")).services, ...parse(textOf("node.yaml")).services };

  test("confine both containers, end them gently, and keep what they write in volumes", () => {
    expect(Object.keys(services)).toEqual(["coordinator", "node"]);
    for (const service of Object.values(services))
      expect(service).toMatchObject({
        ...{ image: "localhost/mediafarm", restart: "unless-stopped", stop_grace_period: "60s" },
        ...{ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], tmpfs: ["/tmp"] },
        volumes: expect.arrayContaining([expect.stringMatching(/^\w+:\/var\/lib\/mediafarm$/)]),
      });
  });

  test("ask the coordinator's health with what the image has, as the Containerfile does", () => {
    const [, program = ""] = services.coordinator.healthcheck.test;
    const steps = textOf("Containerfile");
    expect(steps).toContain(`CMD ["${program}"]`);
    expect(steps).toMatch(/^COPY image\/healthcheck\.mjs image\/start \/usr\/lib\/mediafarm\/image\/$/m);
    for (const name of ["healthcheck.mjs", "start"]) expect(statSync(join(folder, name)).mode & 0o111).toBe(0o111);
    expect(textOf("healthcheck.mjs")).toMatch(/^#!\/usr\/lib\/mediafarm\/bin\/node\n/);
  });

  const lacks = spawnSync("which", ["docker-compose"]).status === 0 ? "" : "no docker-compose";
  const why = lacks || (inCi ? "" : "only in .ci/run");
  test.skipIf(why !== "")(`are what docker-compose takes${why && ` (skipped: ${why})`}`, () => {
    for (const words of [["compose.yaml"], ["node.yaml"], files]) {
      const all = words.flatMap((name) => ["--file", join(folder, name)]);
      const { status, stderr } = spawnSync("docker-compose", [...all, "config", "--quiet"], { encoding: "utf8" });
      expect([words, status, stderr]).toEqual([words, 0, expect.any(String)]);
    }
  });
});

describe("the scripts of the packages", () => {
  test("are read by a shell", () => {
    const scripts = [
      join(folder, "start"),
      ...["postinst", "prerm", "postrm"].map((name) => join(folder, "../debian", name)),
    ];
    for (const file of scripts) {
      const { status, stderr } = spawnSync("sh", ["-n", file], { encoding: "utf8" });
      expect([file, status, stderr]).toEqual([file, 0, ""]);
    }
  });
});

describe("the health check", () => {
  const check = async (port: number): Promise<number | null> => {
    const env = { MEDIAFARM_FLAGS: `--host-name farm.test --port ${port}` };
    return exitOf(spawn(process.execPath, [join(folder, "healthcheck.mjs")], { env, stdio: "ignore" }));
  };
  const portOf = (server: Server) => (server.address() as AddressInfo).port; // it listens to one
  const listen = async <S extends Server>(server: S): Promise<S> => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    return server;
  };
  /** As a farm's own: it names other addresses than the one that is asked. */
  const ownCertificate = () => {
    const key = newKey();
    const cert = makeCertificate({ subject: "a farm", key, from: Date.now() - 60_000, until: Date.now() + 3_600_000 });
    return { key: String(key.export({ type: "pkcs8", format: "pem" })), cert };
  };

  test("passes where a farm answers, with a certificate or without, and fails where none does or one is ill", async () => {
    const answers =
      (status: number): RequestListener =>
      (request, response) =>
        response.writeHead(request.url === "/healthz" ? status : 404).end();
    const well = await listen(createServer(answers(200)));
    const ill = await listen(createServer(answers(503)));
    const secure = await listen(createTlsServer(ownCertificate(), answers(200)));
    const gone = portOf(well);
    try {
      expect(await Promise.all([well, ill, secure].map((server) => check(portOf(server))))).toEqual([0, 1, 0]);
    } finally {
      for (const server of [well, ill, secure]) server.close();
    }
    expect(await check(gone)).toBe(1);
  });
});
