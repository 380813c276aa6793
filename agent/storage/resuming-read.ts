import { TaskError } from "../../shared/causes.ts";
import { type Clock, sleep } from "../../shared/clock.ts";
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

/** Tries without a new byte in between, and the wait before each. */
const patience = [500, 1000, 2000, 4000, 8000, 15_000];

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
      if (at < end) throw new TaskError("source", `${uri} ended after ${at} bytes of ${end}: it was cut short`);
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
  const wait = patience[tries];
  if (!isPassing(error) || wait === undefined || (at > 0 && !storage.abilities.ranges)) throw error;
  if (tries === 0) onBreak?.(`${uri}: the transfer broke off after ${at} bytes and is resumed`);
  await sleep(clock, wait, signal);
  signal.throwIfAborted();
  await refuseChanged(storage, uri, seen);
};

/** The server may still be down: the next try finds out. */
const refuseChanged = async (storage: Storage, uri: string, seen: FileStat): Promise<void> => {
  const now = await storage.stat(uri).catch((error) => {
    if (isPassing(error)) return seen;
    throw error;
  });
  if (!now) throw new TaskError("source", `${uri} vanished while it was read`);
  if (!isSameState(now, seen)) throw new TaskError("source", `${uri} changed while it was read`);
};

/** Whether two stats saw the same state of a file. If both have a tag, the tag decides. */
export const isSameState = (one: FileStat, other: FileStat): boolean => {
  if (one.size !== other.size) return false;
  if (one.tag !== undefined && other.tag !== undefined) return one.tag === other.tag;
  return one.modified === other.modified;
};
