import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { pathToUri } from "../../../shared/files/location.ts";
import type { FarmProcesses } from "../../helpers/processes/farm-processes.ts";
import type { Stage } from "./stage.ts";
import { size, victimsLog } from "./truth.ts";

/** What should not be, once the liars are gone. */
export const audit = async (farm: FarmProcesses, stage: Stage): Promise<string[]> => {
  const { exitCode, signalCode } = farm.coordinator().child;
  if (exitCode !== null || signalCode !== null) return ["the coordinator is gone"];
  return [
    ...(await auditVictim(farm, stage)),
    ...(await auditAgent(farm, stage)),
    ...(await auditOthers(farm, stage)),
    ...(await auditNodes(farm)),
    ...troublesIn(farm),
  ];
};

/** The node that held its work open was never disturbed, and what it reports now is what counts. */
const auditVictim = async (farm: FarmProcesses, { victim, held, watch }: Stage): Promise<string[]> => {
  const fell: string[] = [];
  fell.push(...(await strangeWatch(farm, watch)));
  const { status } = await farm.client.getJobInfo({ job_id: watch, fields: ["status"] });
  if (status !== "active") fell.push(`the watch of another node is ${status}`);
  fell.push(...(await strangeProgress(farm, held)));
  await victim.finish(300_000);
  for (const id of held) {
    const state = await ended(farm, id);
    if (state !== "completed") fell.push(`job ${id} of another node is ${state}`);
    fell.push(...(await strangeAttempts(farm, id)));
  }
  return [...fell, ...victim.troubles()];
};

/** Nothing ever came into the folder that the honest node looks at. */
export const strangeWatch = async (farm: Pick<FarmProcesses, "client">, watch: string): Promise<string[]> => {
  const { items } = await farm.client.listWatches({ job_id: watch });
  const isStrange = items.some(({ counts }) => Object.values(counts).some((count) => count > 0));
  return isStrange ? [`the watched folder of another node: ${JSON.stringify(items)}`] : [];
};

/** Progress never falls: once a liar told that all but the end is done, that is shown until the end. */
const strangeProgress = async (farm: FarmProcesses, held: readonly string[]): Promise<string[]> => {
  const fell: string[] = [];
  for (const id of held) {
    const { progress = 0 } = await farm.client.getJobInfo({ job_id: id, fields: ["progress"] });
    if (progress > mostProgress) fell.push(`job ${id} of another node is told to be done by ${progress} %`);
  }
  return fell;
};
/** The honest node never tells of more than 42 %, and looking at the source is a small part of the whole. */
const mostProgress = 90;

/** Each task had one attempt, with the log and the outputs of the node that ran it. */
const strangeAttempts = async (farm: FarmProcesses, job: string): Promise<string[]> => {
  const fell: string[] = [];
  const { items: tasks } = await farm.client.listTasks({ job_id: job });
  for (const { id = "" } of tasks) {
    const { items } = await farm.client.getTaskLog({ task_id: id });
    if (items.length !== 1) fell.push(`task ${id} of another node was tried ${items.length} times`);
    for (const { log } of items)
      if (log !== null && log !== victimsLog) fell.push(`the log of task ${id}: ${log.slice(0, 300)}`);
  }
  const { items: outputs } = await farm.client.listOutputs({ job_id: job });
  for (const { uri, size: told } of outputs)
    if (!uri.startsWith("file:///victim/out-") || told !== size) fell.push(`job ${job} says that it made ${uri}`);
  return fell;
};

const auditAgent = async (farm: FarmProcesses, { honest, at, bytes }: Stage): Promise<string[]> => {
  const fell: string[] = [];
  const isSame = (path: string) => existsSync(path) && readFileSync(path).equals(bytes);
  for (const { id, path } of honest) {
    const info = await ended(farm, id);
    if (info !== "completed") fell.push(`honest job ${id} is ${info}: ${await errorOf(farm, id)}`);
    else if (!isSame(path)) fell.push(`${path} is not what was copied`);
    else fell.push(...(await strangeResult(farm, id, path)));
  }
  for (const name of ["in.wav", "precious.wav"]) if (!isSame(at(name))) fell.push(`${name} was touched`);
  const known = /^(in\.wav|precious\.wav|honest-\d+|any-\d+)$/;
  const strange = readdirSync(farm.media).filter((name) => !known.test(name));
  return [...fell, ...strange.map((name) => `${name} came to lie there`)];
};

/** The result of an honest job names its own file, of the size that it has. */
const strangeResult = async (farm: FarmProcesses, id: string, path: string): Promise<string[]> => {
  const { items } = await farm.client.listOutputs({ job_id: id });
  const told = items.map(({ uri, size }) => `${uri} ${size}`);
  const wanted = [`${pathToUri(path, "posix")} ${readFileSync(path).length}`];
  return JSON.stringify(told) === JSON.stringify(wanted) ? [] : [`job ${id} says that it made ${told.join(", ")}`];
};

/** Whatever the liars did with jobs that they were given, each can be ended. */
const auditOthers = async (farm: FarmProcesses, { anybodys, folders }: Stage): Promise<string[]> => {
  const fell: string[] = [];
  for (const [id, folder] of folders) {
    const { items } = await farm.client.listOutputs({ job_id: id });
    const own = `${pathToUri(folder, "posix")}/`;
    for (const { uri } of items) if (!uri.startsWith(own)) fell.push(`job ${id} is to have made ${uri}`);
  }
  await Promise.all(anybodys.map((id) => farm.client.stopJob({ job_id: id }).catch(() => undefined)));
  for (const id of anybodys) if ((await ended(farm, id)) === undefined) fell.push(`job ${id} never ends`);
  return fell;
};

/** Nobody else's node is changed by what liars said. */
const auditNodes = async (farm: FarmProcesses): Promise<string[]> => {
  const { items } = await farm.client.listNodes({});
  return ["honest", "victim"].flatMap((name) => {
    const found = items.filter((node) => node.name === name);
    const [node] = found;
    if (found.length !== 1 || node?.tags.join() !== name)
      return [`the node ${name} is not as it was: ${JSON.stringify(found)}`];
    return node.health.state === "sound" ? [] : [`the node ${name} is ${node.health.state}: ${node.health.why}`];
  });
};

/** Errors of the coordinator's own: the schema took a message, and the program did not expect it. */
const troublesIn = (farm: FarmProcesses): string[] => [
  ...new Set(
    farm
      .errors()
      .map(
        ({ message, type, error }) =>
          `the coordinator's log: ${message} ${type ?? ""} ${JSON.stringify(error ?? "").slice(0, 600)}`,
      ),
  ),
];

const errorOf = async ({ client }: FarmProcesses, id: string): Promise<unknown> =>
  (await client.getJobInfo({ job_id: id, fields: ["error"] })).error;

const ended = async (farm: FarmProcesses, id: string): Promise<string | undefined> => {
  const end = performance.now() + 300_000;
  while (performance.now() < end) {
    const { status } = await farm.client.getJobInfo({ job_id: id, fields: ["status"] });
    if (status === "completed" || status === "failed") return status;
    await pause(100);
  }
  return undefined;
};
