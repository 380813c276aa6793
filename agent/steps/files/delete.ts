import { decodeOnce } from "../../../shared/files/location.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { StorageOf } from "../../storage/index.ts";
import type { AttemptLog } from "../attempt-log.ts";
import type { Performer } from "../step.ts";

export const performDelete: Performer<"delete"> = async (step, { storageOf, log, signal }) => {
  await deleteAll(step, { storageOf, log, signal });
};

export type DeleteNeeds = {
  readonly storageOf: StorageOf;
  readonly log: Pick<AttemptLog, "line">;
  readonly signal: AbortSignal;
  /** Addresses that the task itself has just published: where times are rough, they look like the sources they replaced. */
  readonly made?: readonly string[];
};

/** Deletes the files that a step names. Safe to repeat: missing files are ignored. */
export const deleteAll = async (
  { files, folders = [] }: StepOf<"delete">,
  { storageOf, log, signal, made = [] }: DeleteNeeds,
): Promise<void> => {
  const placeOf = (uri: string): string => storageOf(uri).pathOf?.(uri) ?? decodeOnce(uri);
  const kept = new Set(made.map(placeOf));
  for (const each of files) {
    signal.throwIfAborted();
    if (kept.has(placeOf(each.uri))) log.line(`not deleted: ${each.uri} is what the task made`);
    else await deleteFile(each, storageOf, log);
  }
  for (const folder of folders) {
    signal.throwIfAborted();
    log.line(`delete folder ${folder}`);
    await storageOf(folder).removeFolder(folder);
  }
};

const deleteFile = async (
  { uri, size, modified }: StepOf<"delete">["files"][number],
  storageOf: StorageOf,
  log: DeleteNeeds["log"],
): Promise<void> => {
  const storage = storageOf(uri);
  const seen = await storage.stat(uri);
  if (!seen) return log.line(`not deleted: ${uri} is gone already`);
  if (!seen.isFile) return log.line(`not deleted: ${uri} is a folder`);
  const isSame = (size ?? seen.size) === seen.size && (modified ?? seen.modified) === seen.modified;
  if (!isSame) return log.line(`not deleted: ${uri} changed since the job looked at it`);
  log.line(`delete ${uri}`);
  await storage.remove(uri);
};
