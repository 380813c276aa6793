import { constants } from "node:fs";
import { copyFile, type FileHandle, link, stat, symlink } from "node:fs/promises";
import { definitionError, sourceError, TaskError } from "../../../shared/model/failure.ts";
import type { StepOf, WorkAsset } from "../../../shared/work/work.ts";
import { describeFullDisk, hasCode } from "../../disk/file-system.ts";
import { createFlushedFile, type FlushedFile } from "../../disk/flushed-file.ts";
import { openLocal } from "../../paths/read-local.ts";
import { mayBeSent, type ResolvedFile, type ResolvedOutput } from "../../paths/resolved-paths.ts";
import { fileIdFrom, type LocalFile, openChecked, pathOfDescriptor } from "../../roots/checked-file.ts";
import { removeTree } from "../../roots/open-folder.ts";
import { createByteThrottle } from "../../storage/byte-throttle.ts";
import { readResuming, refuseChanged } from "../../storage/resuming-read.ts";
import type { ByteRange, FileStat } from "../../storage/storage.ts";
import type { Performer, StepContext } from "../step.ts";

type Job = { readonly sources: readonly ResolvedFile[]; readonly target: ResolvedOutput };

/** Copies files from any storage to where they wait or are sent from; several sources are joined. */
export const performCopy: Performer<"copy"> = async (step, context) => {
  const jobs = step.files.map((file) => jobOf(file, context));
  const total = jobs.flatMap(({ sources }) => sources).reduce((sum, { size }) => sum + size, 0);
  const throttle = createByteThrottle(step.throttle, context.clock);
  const tellEvery = Math.min(mostUntold, (step.throttle ?? mostUntold) / 4);
  let [copied, untold] = [0, 0];
  const onBytes = async (more: number): Promise<void> => {
    untold += more;
    if (untold < tellEvery) return;
    const bytes = untold;
    untold = 0;
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
  context.onProgress({ percent: 100, bytes: copied + untold });
};

/** A socket gives bytes in small pieces: to tell of each would take longer than to move it. */
const mostUntold = 1024 * 1024;

const jobOf = ({ from, to }: StepOf<"copy">["files"][number], { paths, work }: StepContext): Job => {
  const sources = from.flatMap((id) => paths.inputs.get(id)?.files ?? []);
  const target = paths.outputs.get(to);
  for (const id of from) refuseOther(work.assets[id], paths.inputs.get(id)?.files[0]);
  if (target && sources.length >= from.length) return { sources, target };
  throw definitionError(`A copy names ${from.join(", ")} and ${to}, but the task lacks one of them`);
};

/** The file was replaced since the job probed it, so its content is unknown. */
const refuseOther = ({ uri, looked }: Partial<WorkAsset> = {}, file: ResolvedFile | undefined): void => {
  if (!looked || !file || (looked.size === file.size && looked.modified === file.modified)) return;
  throw sourceError(`${uri} changed since the job looked at it`);
};

type OnBytes = (bytes: number) => Promise<void>;

const copyOne = async ({ sources, target }: Job, step: StepOf<"copy">, context: StepContext, onBytes: OnBytes) => {
  context.log.line(`copy ${sources.map(({ path }) => path).join(" and ")} to ${target.final}`);
  for (const { uri, copy } of sources) if (copy) context.log.line(`${uri}: this node has fetched it already`);
  const [only, second] = sources;
  const local = only?.remote ? only.copy : only;
  // What is sent on as it is need not be copied first; the attempt keeps it open until then.
  if (only && !second && mayBeSent(only, target)) return symlink(only.path, target.made);
  const mayClone = only && local && !second && step.throttle === undefined && only.from === undefined;
  if (mayClone && (await clone(local, target.made))) return onBytes(only.size);
  if (mayClone && only.copy && (await share(only.copy, target.made))) return onBytes(only.size);
  await joinInto(target.made, sources, { context, onBytes }).catch((error) => {
    throw describeFullDisk(error, target.final);
  });
  const wanted = sources.reduce((sum, { size, length }) => sum + (length ?? size), 0);
  const { size } = await stat(target.made);
  if (size !== wanted) throw new TaskError("storage", `The copy ${target.final} is incomplete`);
};

type Pouring = { readonly context: StepContext; readonly onBytes: OnBytes };

const joinInto = async (path: string, sources: readonly ResolvedFile[], pouring: Pouring): Promise<void> => {
  await using file = await createFlushedFile(path);
  for (const source of sources) await pour(source, file, pouring);
  await file.flush();
};

/** All bytes of a source that stays as it was seen; throws if it does not. */
const pour = async (source: ResolvedFile, into: FlushedFile, { context, onBytes }: Pouring): Promise<void> => {
  const { remote, copy } = source;
  if (copy || !remote) return pourLocal(copy ?? source, rangeOf(source), into, { context, onBytes });
  for await (const piece of remoteBytes(source, remote, context)) {
    await into.append(piece);
    await onBytes(piece.length);
  }
};

const pourLocal = async (
  source: Omit<LocalFile, "id"> & Pick<ResolvedFile, "id">,
  range: ByteRange,
  into: FlushedFile,
  { context, onBytes }: Pouring,
): Promise<void> => {
  await using reader = await openLocal(source, range);
  for (;;) {
    context.signal.throwIfAborted();
    const bytes = await into.fill(reader.into);
    if (bytes === 0) return;
    await onBytes(bytes);
  }
};

const rangeOf = ({ from = 0, length }: ResolvedFile): ByteRange => (length === undefined ? { from } : { from, length });

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
  throw sourceError(`${source.path} changed while it was being copied`);
};

/**
 * Gives what the cache fetched a second name, so that it need not be copied. Neither the cache nor whoever publishes
 * writes to it, and the cache forgets it if somebody else does.
 */
const share = async ({ path, id }: LocalFile, to: string): Promise<boolean> => {
  try {
    await link(path, to);
  } catch (error) {
    if (hasCode(error, "EEXIST")) throw error;
    return false; // another file system, or one without links
  }
  if (fileIdFrom(await stat(to)) === id) return true;
  throw sourceError(`${path} was exchanged for another file while it was being copied`);
};

async function* remoteBytes(source: ResolvedFile, seen: FileStat, context: StepContext): AsyncGenerator<Uint8Array> {
  const { uri } = source;
  const { clock, signal, log } = context;
  const storage = context.storageOf(uri);
  const onBreak = (words: string): void => log.line(words);
  yield* readResuming({ storage, uri, seen, range: rangeOf(source), clock, signal, onBreak });
  await refuseChanged(storage, uri, seen);
}
