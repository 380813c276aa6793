import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { sourceError } from "../../shared/model/failure.ts";
import { defaultPatienceSec } from "../config.ts";
import { createPatience, waitAfter } from "./retry.ts";
import type { ByteRange, FileStat, Storage } from "./storage.ts";
import { isPassing } from "./storage-error.ts";

export type ResumingRead = {
  readonly storage: Storage;
  readonly uri: string;
  /** The wanted state of the file: if it is different after a break, the transfer fails. */
  readonly seen: FileStat;
  readonly range: ByteRange;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called at every break that is repaired. */
  readonly onBreak?: (words: string) => void;
};

/**
 * Reads all bytes of a range. After a broken connection it resumes, if the file is unchanged and the storage reads
 * ranges; otherwise it throws the error.
 */
export async function* readResuming(options: ResumingRead): AsyncGenerator<Uint8Array> {
  const { storage, uri, seen, signal } = options;
  const { from } = options.range;
  const end = from + (options.range.length ?? seen.size - from);
  let at = from;
  for (let tries = 0; at < end; ) {
    try {
      for await (const bytes of storage.read(uri, { from: at, length: end - at }, signal)) {
        signal.throwIfAborted();
        tries = 0;
        at += bytes.length;
        yield bytes;
      }
      if (at < end) throw sourceError(`${uri} ended after ${at} bytes of ${end}: it was cut short`);
    } catch (error) {
      signal.throwIfAborted();
      await mend(error, at, tries, options);
      tries += 1;
    }
  }
}

/** Waits until it may continue; throws if that makes no sense. */
const mend = async (error: unknown, at: number, tries: number, options: ResumingRead): Promise<void> => {
  const { storage, uri, seen, clock, signal, onBreak } = options;
  const { patience = createPatience(defaultPatienceSec) } = storage;
  const wait = waitAfter(error, patience, tries);
  if (wait === undefined || (at > 0 && !storage.abilities.ranges)) throw error;
  if (tries === 0) onBreak?.(`${uri}: the transfer broke off after ${at} bytes and is resumed`);
  await sleep(clock, wait, signal);
  signal.throwIfAborted();
  await refuseChangedIfUp(storage, uri, seen);
};

/** The server may still be down: the next try finds out. */
const refuseChangedIfUp = async (storage: Storage, uri: string, seen: FileStat): Promise<void> => {
  await refuseChanged(storage, uri, seen).catch((error) => {
    if (!isPassing(error)) throw error;
  });
};

/** Throws TaskError `source` if the file is no longer as it was seen: its bytes may belong to two states. */
export const refuseChanged = async (storage: Pick<Storage, "stat">, uri: string, seen: FileStat): Promise<void> => {
  const now = await storage.stat(uri);
  if (!now) throw sourceError(`${uri} vanished while it was read; check who removed it, and retry the task`);
  if (isSameState(now, seen)) return;
  throw sourceError(`${uri} changed while it was read; retry the task once nobody writes to it`);
};

/** Whether two stats saw the same state of a file. If both have a tag, the tag decides. */
export const isSameState = (one: FileStat, other: FileStat): boolean => {
  if (one.size !== other.size) return false;
  if (one.tag !== undefined && other.tag !== undefined) return one.tag === other.tag;
  return one.modified === other.modified;
};
