import { type FileHandle, open } from "node:fs/promises";
import { type Examined, findDamage, promisedSize } from "../../media/formats/damage.ts";
import { sniff, sniffBytes } from "../../media/formats/sniff.ts";
import { type Cause, TaskError } from "../../shared/model/failure.ts";
import { createReadAt } from "../disk/read-at.ts";
import { boxesWithin, createBoxReader, named } from "../formats/mp4-boxes.ts";
import type { ResolvedFile } from "../paths/resolved-paths.ts";
import type { AttemptLog } from "../steps/attempt-log.ts";

/** Where a tool fails at the media, the cause may be a broken input. */
const ofMedia: ReadonlySet<Cause> = new Set(["source", "media"]);

/**
 * Where `act` fails because a tool could not use the media, looks at the inputs: if one is broken, the error says how,
 * and the log keeps what the tool said.
 */
export const withDamageExplained = async <T>(
  inputs: readonly ResolvedFile[],
  log: AttemptLog,
  act: () => Promise<T>,
): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof TaskError) || !ofMedia.has(error.failure.cause)) throw error;
    for (const file of inputs) {
      const damage = await examine(file.path).then(findDamage, () => undefined); // the first error says more
      if (damage === undefined) continue;
      const { cause: _theTools, message, ...rest } = error.failure;
      log.line(message);
      throw new TaskError("source", `${file.path} ${damage}`, rest, error.results);
    }
    throw error;
  }
};

const sampleBytes = 4096;
/** No index is larger, unless it is damaged. */
const mostIndexBytes = 64 * 1024 * 1024;

const examine = async (path: string): Promise<Examined> => {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const head = await sample(file, 0, sniffBytes);
  const { kind } = sniff(head);
  const isFilm =
    kind === "media" && /^(?:ftyp|moov|mdat|wide|free|skip|pnot|styp)$/.test(head.toString("latin1", 4, 8));
  const readAt = createReadAt(file);
  const boxes = isFilm ? await boxesWithin(readAt, 0, size) : [];
  const index = await createBoxReader(readAt, mostIndexBytes).payload(named(boxes, "moov"));
  const rest = [
    await sample(file, Math.floor(size / 2), sampleBytes),
    await sample(file, size - sampleBytes, sampleBytes),
  ];
  return {
    ...{ size, head, boxes, sniffed: kind, promised: promisedSize(head) },
    restIsZeros: rest.every((bytes) => bytes.every((byte) => byte === 0)),
    isEncrypted: index !== undefined && isEncrypted(Buffer.from(index.buffer, index.byteOffset, index.byteLength)),
  };
};

const sample = async (file: FileHandle, at: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, Math.max(0, at));
  return buffer.subarray(0, bytesRead);
};

/** Encrypted samples are described by entries of these types, which hold a box about the scheme. */
const isEncrypted = (index: Buffer): boolean =>
  index.includes("sinf") && (index.includes("encv") || index.includes("enca"));
