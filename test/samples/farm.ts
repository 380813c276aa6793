import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "../../shared/api/client.ts";
import { exitOf, startProgram, stop } from "../helpers/processes/farm-processes.ts";
import { folderOf, prefixes } from "./bucket.ts";

const repository = join(import.meta.dirname, "../..");

/** The keys that `up --json` prints at its first start. */
type Ready = Readonly<Record<"base_url" | "oapi_key" | "oapi_secret" | "auth_key" | "auth_secret", string>>;

/** A farm as somebody starts it who has such storage: `up` with a mount for each prefix. */
export const startSampleFarm = async () => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-samples-"));
  const bucket = join(folder, "bucket");
  for (const prefix of prefixes) mkdirSync(folderOf(bucket, prefix), { recursive: true });
  const mounts = prefixes.flatMap((prefix) => ["--mount", `${prefix}=${folderOf(bucket, prefix)}`]);
  const words = ["up", "--json", "--port", "0", "--data", join(folder, "data"), "--root", bucket, ...mounts];
  const timing = JSON.stringify({ tickMs: 100, capabilityWaitMs: 1000 });
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), MEDIAFARM_TIMING: timing };
  const program = startProgram(join(repository, "cli/main.ts"), words, env);
  // Whoever stops the instrument stops its farm.
  process.once("exit", () => program.child.kill("SIGTERM"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const ready = (await program.firstLine) as Ready; // the contract of `up --json`
  const client = createClient({
    ...{ baseUrl: ready.base_url, oapiKey: ready.oapi_key, oapiSecret: ready.oapi_secret },
    ...{ authKey: ready.auth_key, authSecret: ready.auth_secret },
  });
  return {
    bucket,
    client,
    [Symbol.asyncDispose]: async () => {
      await stop(program);
      await exitOf(program.child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

export type SampleFarm = Awaited<ReturnType<typeof startSampleFarm>>;

/** The status of a job when it has ended; undefined when it takes longer than it may, and it is stopped then. */
export const untilEnded = async (client: Client, id: string, seconds: number): Promise<string | undefined> => {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const { status } = await client.getJobInfo({ job_id: id, fields: ["status"] });
    if (status === "completed" || status === "failed") return status;
    await pause(100);
  }
  await client.stopJob({ job_id: id });
  return undefined;
};
