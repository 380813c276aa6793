import { constants } from "node:fs";
import { copyFile, type FileHandle, stat } from "node:fs/promises";
import { TaskError } from "../../shared/causes.ts";
import type { StepOf, WorkAsset } from "../../shared/work.ts";
import { openChecked, pathOfDescriptor } from "../checked-file.ts";
import { hasCode, wordsForFull } from "../disk.ts";
import { createFlushedFile } from "../flushed-file.ts";
import { removeTree } from "../open-folder.ts";
import type { LocalFile, ResolvedFile, ResolvedOutput } from "../path-resolver.ts";
import { readLocal } from "../read-local.ts";
import { createByteThrottle } from "../storage/byte-throttle.ts";
import { readResuming, refuseChanged } from "../storage/resuming-read.ts";
import type { Performer, StepContext } from "./step.ts";

type Job = { readonly sources: readonly ResolvedFile[]; readonly target: ResolvedOutput };

/** Copies files from any storage to where they wait or are sent from; several sources are joined. */
export const performCopy: Performer<"copy"> = async (step, context) => {
  const jobs = step.files.map((file) => jobOf(file, context));
  const total = jobs.flatMap(({ sources }) => sources).reduce((sum, { size }) => sum + size, 0);
  const throttle = createByteThrottle(step.throttle, context.clock);
  let copied = 0;
  const onBytes = async (bytes: number): Promise<void> => {
    copied += bytes;
    context.onProgress({ bytes: copied, ...(total > 0 && { percent: Math.min(100, (copied / total) * 100) }) });
    await throttle(bytes, context.signal);
    await context.pause?.();
  };
  let next = 0;
  const copyNext = async (): Promise<void> => {
    for (let job = jobs[next++]; job; job = jobs[next++]) await copyOne(job, step, context, onBytes);
  };
  await Promise.all(Array.from({ length: Math.min(step.concurrency ?? 1, jobs.length) }, copyNext));
  context.onProgress({ percent: 100, bytes: copied });
};

const jobOf = ({ from, to }: StepOf<"copy">["files"][number], { paths, work }: StepContext): Job => {
  const sources = from.flatMap((id) => paths.inputs.get(id)?.files ?? []);
  const target = paths.outputs.get(to);
  for (const id of from) refuseOther(work.assets[id], paths.inputs.get(id)?.files[0]);
  if (target && sources.length >= from.length) return { sources, target };
  throw new TaskError("definition", `A copy names ${from.join(", ")} and ${to}, but the task lacks one of them`);
};

/** The file was replaced since the job probed it, so its content is unknown. */
const refuseOther = ({ uri, looked }: Partial<WorkAsset> = {}, file: ResolvedFile | undefined): void => {
  if (!looked || !file || (looked.size === file.size && looked.modified === file.modified)) return;
  throw new TaskError("source", `${uri} changed since the job looked at it`);
};

type OnBytes = (bytes: number) => Promise<void>;

const copyOne = async ({ sources, target }: Job, step: StepOf<"copy">, context: StepContext, onBytes: OnBytes) => {
  context.log.line(`copy ${sources.map(({ path }) => path).join(" and ")} to ${target.final}`);
  const [only, second] = sources;
  const local = only?.remote ? only.copy : only;
  const mayClone = only && local && !second && step.throttle === undefined && only.from === undefined;
  if (mayClone && (await clone(local, target.made))) return onBytes(only.size);
  const from = sources.map((source) => bytesOf(source, context));
  await joinInto(target.made, from, onBytes).catch((error) => {
    throw wordsForFull(error, target.final);
  });
  const wanted = sources.reduce((sum, { size, length }) => sum + (length ?? size), 0);
  const { size } = await stat(target.made);
  if (size !== wanted) throw new TaskError("storage", `The copy ${target.final} is incomplete`);
};

const joinInto = async (path: string, sources: readonly AsyncIterable<Uint8Array>[], onBytes: OnBytes) => {
  await using file = await createFlushedFile(path);
  for (const source of sources) {
    for await (const piece of source) {
      await file.append(piece);
      await onBytes(piece.length);
    }
  }
  await file.flush();
};

/** File systems that share blocks between files copy almost instantly. */
const clone = async (source: Omit<LocalFile, "id"> & Pick<ResolvedFile, "id">, to: string): Promise<boolean> => {
  await using file = await openChecked(source.path, source.id);
  return await cloneOf(file, source, to);
};

const cloneOf = async (file: FileHandle, source: Omit<LocalFile, "id">, to: string): Promise<boolean> => {
  try {
    await copyFile(pathOfDescriptor(file, source.path), to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
  } catch (error) {
    if (hasCode(error, "EEXIST")) throw error;
    await removeTree(to); // not every file system can, and each reports that with its own code
    return false;
  }
  const [after, copy] = await Promise.all([file.stat(), stat(to)]);
  if (after.size === source.size && Math.floor(after.mtimeMs) === source.modified && copy.size === source.size)
    return true;
  throw new TaskError("source", `${source.path} changed while it was being copied`);
};

/** The bytes of a source that stays as it was seen; throws if it does not. */
async function* bytesOf(source: ResolvedFile, context: StepContext): AsyncGenerator<Uint8Array> {
  const { uri, remote, copy, from = 0, length } = source;
  const range = length === undefined ? { from } : { from, length };
  const { clock, signal, log } = context;
  if (copy) log.line(`${uri}: this node has fetched it already`);
  if (copy || !remote) return yield* readLocal(copy ?? source, range, signal);
  const storage = context.storageOf(uri);
  yield* readResuming({ storage, uri, seen: remote, range, clock, signal, onBreak: (words) => log.line(words) });
  await refuseChanged(storage, uri, remote);
}
