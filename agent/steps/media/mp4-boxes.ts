import { type FileHandle, open } from "node:fs/promises";
import { changedMovie, changedType } from "../../../media/formats/mp4/rewrite.ts";
import { timecodeSamples } from "../../../media/formats/mp4/timecodes.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { createReadAt } from "../../disk/read-at.ts";
import { type Box, boxesWithin, named } from "../../formats/mp4-boxes.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** The index of a film of many days. */
export const mostMovieBytes = 512 * 1024 * 1024;
const blockBytes = 4 * 1024 * 1024;

/** Changes the file in place: what lies behind a box that grows is moved first, from the end. */
export const performMp4Boxes: Performer<"mp4_boxes"> = async ({ of, changes }, context) => {
  const { made: path, output } = outputNamed(of, context);
  await using file = await open(path, "r+");
  const { size } = await file.stat();
  const boxes = await boxesWithin(createReadAt(file), 0, size);
  const [type, movie] = [named(boxes, "ftyp"), named(boxes, "moov")];
  if (!type || !movie || movie.to - movie.from > mostMovieBytes)
    throw new TaskError("media", `${output.name} has no boxes ftyp and moov that could be changed`);
  const [oldType, oldMovie] = [await bytesOfBox(file, type), await bytesOfBox(file, movie)];
  const newType = changedType(oldType, changes);
  const before = newType.length - oldType.length;
  const unmoved = { moved: (offset: number) => offset, end: size };
  const behind = before + changedMovie(oldMovie, changes, unmoved).length - oldMovie.length;
  const end = size + behind;
  const moved = (offset: number) => offset + (offset >= movie.to ? behind : before);
  const newMovie = changedMovie(oldMovie, changes, { moved, end });
  const moves: [from: number, to: number, by: number][] = [
    [type.to, startOf(movie), before],
    [movie.to, size, behind],
  ];
  for (const move of behind > 0 ? moves.reverse() : moves) await moveBytes(file, move, context.signal);
  await file.write(newType, 0, newType.length, startOf(type));
  await file.write(newMovie, 0, newMovie.length, startOf(movie) + before);
  await file.truncate(end);
  if (changes.timecodes) await file.write(timecodeSamples(changes.timecodes), 0, undefined, end);
  // An index of fragments at the end names places that are no longer theirs; players make their own.
  const index = named(boxes, "mfra");
  if (index && behind !== 0) await file.write("free", startOf(index) + behind + 4, "latin1");
  context.log.line(`changed the boxes of ${output.name}`);
};

// Muxers write no large sizes before these boxes.
const startOf = (box: Box): number => box.from - 8;

/** A whole box, with its head. */
export const bytesOfBox = async (file: FileHandle, box: Box): Promise<Uint8Array> => {
  const bytes = new Uint8Array(box.to - startOf(box));
  await file.read(bytes, 0, bytes.length, startOf(box));
  return bytes;
};

/** Upwards from the end and downwards from the start, so that nothing is overwritten before it is read. */
export const moveBytes = async (
  file: FileHandle,
  [from, to, by]: readonly [from: number, to: number, by: number],
  signal: AbortSignal,
): Promise<void> => {
  if (by === 0) return;
  const block = new Uint8Array(blockBytes);
  const count = Math.ceil((to - from) / blockBytes);
  for (let nr = 0; nr < count; nr += 1) {
    signal.throwIfAborted();
    const at = from + (by > 0 ? count - 1 - nr : nr) * blockBytes;
    const length = Math.min(blockBytes, to - at);
    await file.read(block, 0, length, at);
    await file.write(block, 0, length, at + by);
  }
};
