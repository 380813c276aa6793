import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aChain, aCopyTo, aFileSource, type ElementJson } from "../../helpers/farm/job-builders.ts";
import { aWav } from "../../helpers/media/a-wav.ts";
import type { FarmProcesses } from "../../helpers/processes/farm-processes.ts";
import { startVictim } from "./victim.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** What the honest node runs, and what it was granted to publish, all the while: as many as it has slots for copies. */
const heldOf = ["running", "granted"];

/** An agent with media, a node that holds work open, and jobs that only they may run; and jobs that anybody may. */
export const openStage = async (farm: FarmProcesses) => {
  const at = (name: string): string => join(farm.media, name);
  const bytes = aWav(7);
  for (const name of ["in.wav", "precious.wav"]) writeFileSync(at(name), bytes);
  await farm.startAgent("honest", ["--tags", "honest", "--slots", "2"]);
  const victim = await startVictim(farm.joinToken, "/victim");
  const honest: { readonly id: string; readonly path: string }[] = [];
  const anybodys: string[] = [];
  /** Where copies of them are to be made. */
  const folders = new Map<string, string>();
  let slowest = 0;
  let count = 0;
  const submit = async (elements: readonly ElementJson[], tag: string): Promise<string> => {
    const task = { retry_method: "retry", retry: { count: 1, delay_sec: 0 }, tags: [tag] };
    const begun = performance.now();
    const id = await farm.submit(aChain(elements.map((each) => ({ ...each, task }))));
    slowest = Math.max(slowest, Math.round(performance.now() - begun));
    return id;
  };
  const copy = (folder: string) => [aFileSource(at("in.wav")), aCopyTo(at(folder), { existing_files: "fail" })];
  const submitHonest = async (): Promise<void> => {
    const folder = `honest-${count++}`;
    honest.push({ id: await submit(copy(folder), "honest"), path: at(`${folder}/in.wav`) });
  };
  /** Of each kind of question that is put to nodes: a copy, a source that is waited for, a folder that is watched. */
  const submitAnybodys = async (): Promise<void> => {
    const folder = `any-${count++}`;
    const wait = { options: { wait_for_source_timeout_sec: 3600 } };
    const kinds = [
      () => copy(folder),
      () => [aFileSource(at("in.wav"))],
      () => [aFileSource(at("late.wav"), wait)],
      () => [aWatch(at("watched")), aCopyTo(at(folder))],
    ];
    const kind = kinds[anybodys.length % kinds.length];
    if (!kind) return;
    const id = await submit(kind(), "anybody");
    if (kind === kinds[0]) folders.set(id, at(folder));
    anybodys.push(id);
  };
  const held: string[] = [];
  for (const name of heldOf)
    held.push(await submit([aFileSource(`/victim/${name}.mov`), aCopyTo(`/victim/out-${name}`)], "victim"));
  const watch = await submit([aWatch("/victim/watched"), aCopyTo("/victim/dailies")], "victim");
  await submitHonest();
  await farm.untilEnded(honest[0]?.id ?? "");
  await victim.holds(heldOf.length);
  return {
    ...{ bytes, at, victim, honest, anybodys, folders, held, watch, submitHonest, submitAnybodys },
    slowest: () => slowest,
  };
};

const aWatch = (path: string): ElementJson => ({
  uid: "source",
  kind: "watchfolder",
  payload: { source: { storage_provider: "file", path }, settings: { interval_sec: 1 } },
});
