import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "../../shared/api/client.ts";
import { childrenCpuMs, cpuMsOf } from "./cpu.ts";
import { forgetPeak, type Program, peakBytes, residentBytes, startProgram } from "./program.ts";
import { scratchFolder } from "./scratch.ts";

/** A farm as people run it: `up`, a coordinator and its local agent as two processes, started before. */
export type BenchFarm = AsyncDisposable & {
  /** Of this farm alone; jobs may use it. */
  readonly folder: string;
  readonly client: Client;
  /** Processor time so far: of coordinator and agent alone, and of what the agent started. */
  readonly cpuMs: () => { readonly coordinator: number; readonly agent: number; readonly children: number };
  /** Bytes of memory that the agent has now, and the most that it had since this was last asked. */
  readonly agentMemory: () => { readonly now: number; readonly peak: number };
  /** Holds work back, and lets it go. */
  readonly pause: () => Promise<void>;
  readonly activate: () => Promise<void>;
};

export type FarmChoices = {
  readonly slots: number;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
};

type Ready = { readonly pid: number } & Readonly<
  Record<"base_url" | "oapi_key" | "oapi_secret" | "auth_key" | "auth_secret", string>
>;

export const startFarm = async ({ slots, env: more }: FarmChoices): Promise<BenchFarm> => {
  const scratch = scratchFolder();
  const folder = scratch.path;
  const words = ["up", "--json", "--port", "0", "--slots", String(slots), "--root", folder];
  const env = { XDG_CONFIG_HOME: join(folder, "config"), ...more };
  const program: Program<Ready> = await startProgram("cli/main.ts", [...words, "--data", join(folder, "farm")], env);
  const { ready } = program;
  const [coordinator, agent] = [ready.pid, childOf(ready.pid)];
  const client = clientOf(ready);
  const setState = async (state: "active" | "paused") => {
    for (const { id } of (await client.listNodes({})).items) await client.updateNode({ node_id: id, state });
  };
  return {
    folder,
    client,
    cpuMs: () => ({
      coordinator: cpuMsOf(coordinator),
      agent: cpuMsOf(agent),
      children: childrenCpuMs(agent),
    }),
    agentMemory: () => {
      const found = { now: residentBytes(agent), peak: peakBytes(agent) };
      forgetPeak(agent);
      return found;
    },
    pause: () => setState("paused"),
    activate: () => setState("active"),
    [Symbol.asyncDispose]: async () => {
      await program.end();
      scratch[Symbol.dispose]();
    },
  };
};

/** A folder in the farm's own, made if need be. */
export const folderIn = ({ folder }: { readonly folder: string }, ...names: string[]): string => {
  const path = join(folder, ...names);
  mkdirSync(path, { recursive: true });
  return path;
};

/** Waits until all these jobs have ended, asking seldom: the answers cost the farm time too. Throws where one failed. */
export const untilCompleted = async ({ client }: BenchFarm, ids: readonly string[], everyMs = 20): Promise<void> => {
  for (let waiting = [...ids]; waiting.length > 0; ) {
    const job_id = waiting[0] ?? "";
    const { status, error } = await client.getJobInfo({ job_id, fields: ["status", "error"] });
    if (status === "failed") throw new Error(`Job ${job_id} failed: ${error}`);
    if (status === "completed") waiting = waiting.slice(1);
    else await pause(everyMs);
  }
};

/** Waits until no job is open; one question costs the farm less than one about each job. */
export const untilIdle = async ({ client }: BenchFarm): Promise<void> => {
  const filters = [{ field: "status" as const, values: ["queued" as const, "active" as const] }];
  while ((await client.countJobs({ filters })).count > 0) await pause(50);
};

/** Tasks of these jobs, as the API counts them. */
export const countTasks = async ({ client }: BenchFarm, ids: readonly string[]): Promise<number> => {
  let count = 0;
  for (const job_id of ids) count += (await client.listTasks({ job_id, fields: ["id"] })).items.length;
  return count;
};

/** From the first assignment to the last publication of these jobs, by the coordinator's own clock. */
export const spanOf = async ({ client }: BenchFarm, ids: readonly string[]): Promise<number> => {
  const times = { first: Number.POSITIVE_INFINITY, last: 0 };
  for (const job_id of ids) {
    for (const task of (await client.listTasks({ job_id, fields: ["start_time", "end_time"] })).items) {
      times.first = Math.min(times.first, Date.parse(task.start_time ?? ""));
      times.last = Math.max(times.last, Date.parse(task.end_time ?? ""));
    }
  }
  return times.last - times.first;
};

/** `up` starts its agent and nothing else. */
const childOf = (pid: number): number => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  if (children.length === 1 && children[0]) return Number(children[0]);
  throw new Error(`Process ${pid} has the children ${children.join(", ")}: which is the agent?`);
};

const clientOf = (ready: Ready): Client =>
  createClient({
    baseUrl: ready.base_url,
    oapiKey: ready.oapi_key,
    oapiSecret: ready.oapi_secret,
    authKey: ready.auth_key,
    authSecret: ready.auth_secret,
  });
