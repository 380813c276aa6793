import { redactText } from "../../../shared/credentials/redact.ts";
import { nameOf } from "../../../shared/files/location.ts";
import type { AssetFile } from "../../../shared/model/asset.ts";
import { type Arg, fillArgument, type Reference, referencesOf } from "../../../shared/work/arguments.ts";
import type { Work } from "../../../shared/work/work.ts";
import { isoOrNull, isoTime } from "../../iso-time.ts";
import type { TaskRow } from "../../store/rows.ts";
import { buildComponent } from "./asset.ts";
import type { AttemptOfJob } from "./attempts.ts";

const megabyte = 1024 * 1024;

/** The history of a task: its sources, one entry per attempt, and the commands for each version. */
export const buildHistory = (
  task: TaskRow,
  work: Work | undefined,
  attempts: readonly AttemptOfJob[],
  files: ReadonlyMap<string, AssetFile>,
) => {
  return {
    sources: work ? [sourcesOf(work, files)] : [],
    ...(task.published?.results && { results: task.published.results }),
    logs: {
      history: attempts.map((attempt) => entryOf(task, attempt)),
      encode_args: { asset_versions: work ? encodeArgs(work) : {} },
    },
  };
};

const sourcesOf = ({ assets }: Work, files: ReadonlyMap<string, AssetFile>) => ({
  kind: "asset_complex",
  asset_versions: Object.entries(assets).map(([id, { uri }]) => {
    const url = redactText(uri);
    const name = { kind: "name", component_uid: "asset_0", name: nameOf(url), url };
    const file = files.get(uri) ?? { uri };
    return { version_uid: id, asset_components: [{ ...name, ...buildComponent({ ...file, uri: url }, null) }] };
  }),
});

const entryOf = (
  task: TaskRow,
  { counter, node_id, node, machine, state, assigned, ended, ...attempt }: AttemptOfJob,
) => ({
  task: task.kind,
  action: task.name,
  state,
  started: isoTime(assigned),
  completed: isoOrNull(ended),
  duration_sec: ended === null ? undefined : Math.round((ended - assigned) / 1000),
  details: {
    task_id: task.id,
    sub_task_id: `${task.id}_s${counter}`,
    machine_id: node_id,
    service_id: node_id,
    machine_name: node,
    sys_mem_mb: machine && Math.round(machine.memory / megabyte),
    sys_cpu_count: machine?.cores,
  },
  report: attempt.failure ? [redactText(attempt.failure.message)] : [],
  events: [],
  stats: attempt.stats && statsOf(attempt.stats, machine?.cores),
});

const statsOf = ({ wallMs, cpuMs, peakMemory }: NonNullable<AttemptOfJob["stats"]>, cores = 1) => {
  if (wallMs === undefined) return undefined;
  const used = peakMemory === undefined ? undefined : Math.round(peakMemory / megabyte);
  return {
    wall_ms: Math.round(wallMs),
    cpu_ms: cpuMs === undefined ? undefined : Math.round(cpuMs),
    // Percent of the whole machine.
    avg_cpu_load: cpuMs === undefined || wallMs <= 0 ? undefined : Math.round((100 * cpuMs) / wallMs / cores),
    sys_mem_used_mb: used === undefined ? undefined : { max: used },
  };
};

const encodeArgs = ({ steps, outputs }: Work) => {
  const byVersion: Record<string, { ffmpeg_pass_args: string[] }> = {};
  for (const step of steps) {
    if (step.do !== "ffmpeg") continue;
    const command = redactText(step.argv.map(asText).join(" "));
    // A first pass has no output: it is listed with the version that its log is for.
    const made = Object.entries(outputs).filter(([id]) => step.argv.some((word) => isFor(word, id)));
    for (const [, { version }] of made) {
      byVersion[version] ??= { ffmpeg_pass_args: [] };
      byVersion[version].ffmpeg_pass_args.push(command);
    }
  }
  return byVersion;
};

const isFor = (word: Arg, id: string): boolean =>
  referencesOf(word).some(
    (each) => ("out" in each && each.out === id) || ("scratch" in each && each.scratch === `pass_${id}`),
  );

/** References are in braces; the node replaces them with its own paths. */
const asText = (word: Arg): string => {
  const text = fillArgument(word, inBraces);
  return typeof word === "string" && /[\s"']/.test(text) ? `"${text}"` : text;
};

const inBraces = (reference: Reference): string => `{${Object.values(reference).flat().join(".")}}`;
