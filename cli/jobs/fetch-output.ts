import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import type { Client } from "../../shared/api/client.ts";
import type { JobOutput } from "../../shared/api/job-outputs.ts";
import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";

export type Fetching = {
  readonly client: Pick<Client, "openOutput">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Puts it in the place of another file. */
  readonly mayReplace: boolean;
  /** More bytes are here; negative where the file has to begin again. */
  readonly onBytes: (more: number) => void;
};

/** How a file came here: fetched, fetched from where an earlier try ended, or it was here already. */
export type Fetched = "fetched" | "resumed" | "already here";

/**
 * Fetches one file beside its place, goes on where an earlier try ended, checks size and checksum, and gives it its name only
 * then. Throws AppError if another file has the name, or if what arrived is not what was made.
 */
export const fetchOutput = async (output: JobOutput, path: string, fetching: Fetching): Promise<Fetched> => {
  await mkdir(dirname(path), { recursive: true });
  const seen = await stat(path).catch(() => undefined);
  if (seen && (await isOutput(path, seen, output))) {
    fetching.onBytes(seen.size);
    return "already here";
  }
  if (seen && !fetching.mayReplace) throw new AppError("CONFLICT", `${path} is another file: --replace replaces it`);
  // Its name tells which version it is a part of.
  const part = `${path}.${stampOf(output)}.part`;
  const isResumed = await fetchPart(output, part, fetching);
  await check(output, part);
  if (output.modified !== null) await utimes(part, new Date(output.modified), new Date(output.modified));
  await rename(part, path);
  return isResumed ? "resumed" : "fetched";
};

type Seen = { readonly size: number; readonly mtimeMs: number };

const isOutput = async (path: string, { size, mtimeMs }: Seen, output: JobOutput): Promise<boolean> => {
  if (output.size !== null && size !== output.size) return false;
  if (output.checksum !== null) return (await checksumOf(path)) === output.checksum;
  return output.modified !== null && Math.abs(mtimeMs - Date.parse(output.modified)) < 1000;
};

const stampOf = ({ uri, size, modified, checksum }: JobOutput): string =>
  createHash("sha256")
    .update(checksum ?? JSON.stringify([uri, size, modified]))
    .digest("hex")
    .slice(0, 10);

/** So many tries without a single new byte, then it gives up. */
const mostTries = 5;

/** Resolves with whether it began with bytes of an earlier command. */
const fetchPart = async (output: JobOutput, path: string, fetching: Fetching): Promise<boolean> => {
  // In a folder that others may write to, somebody could have put a link there.
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  await using file = await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW);
  let { size: have } = await file.stat();
  const isResumed = have > 0;
  fetching.onBytes(have);
  let tag: string | undefined;
  for (let tries = 0; output.size === null || have !== output.size; ) {
    try {
      const opened = await fetching.client.openOutput(output, { from: have, tag, signal: fetching.signal });
      tag = opened.tag;
      if (opened.from !== have) {
        await file.truncate(0);
        fetching.onBytes(-have);
        have = 0;
      }
      for await (const bytes of opened.body) {
        await file.appendFile(bytes);
        have += bytes.length;
        fetching.onBytes(bytes.length);
        tries = 0;
      }
      if (output.size === null || have === output.size) break;
      throw new AppError("UNAVAILABLE", `${output.uri} ended after ${have} bytes`);
    } catch (problem) {
      tries += 1;
      if (fetching.signal.aborted || tries >= mostTries || !isPassing(problem)) throw problem;
      await sleep(fetching.clock, 1000 * 2 ** (tries - 1), fetching.signal);
    }
  }
  await flush(file);
  return isResumed;
};

/** A connection that broke off, or a node or coordinator that is away for a moment. */
const isPassing = (problem: unknown): boolean =>
  problem instanceof AppError ? problem.code === "UNAVAILABLE" : problem instanceof TypeError;

const flush = (file: FileHandle): Promise<void> => file.sync();

/** What is wrong is removed: to go on with it would never end well. */
const check = async ({ uri, size, checksum }: JobOutput, path: string): Promise<void> => {
  const found = await stat(path);
  const isWrong =
    (size !== null && found.size !== size) || (checksum !== null && (await checksumOf(path)) !== checksum);
  if (!isWrong) return;
  await rm(path, { force: true });
  const wanted = [size === null ? "" : `${size} bytes`, checksum ?? ""].filter(Boolean).join(", ");
  throw new AppError(
    "CONFLICT",
    `${uri}: what arrived is not what the job made (${wanted}). It was removed: try again`,
  );
};

const checksumOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(piece);
  return `sha256:${hash.digest("hex")}`;
};
