import { readFileSync, writeFileSync } from "node:fs";
import { fastH264, make } from "../../../helpers/media/media-tools.ts";

/** Seconds of the media, and for how long they are shown. */
export const twoEdits = [
  { mediaTime: 0.2, duration: 0.4 },
  { mediaTime: 1.2, duration: 0.6 },
] as const;

/** A film whose index is at its end, so that nothing moves when the index grows: 25 frames a second, no B-frames. */
export const plainFilm = (path: string, ...more: readonly string[]) =>
  make(
    path,
    ...["-f", "lavfi", "-i", "testsrc2=size=128x72:rate=25:duration=2", ...more],
    ...fastH264({ group: 50, between: 0 }),
  );

/** Rewrites the picture's list of edits, which has one entry, to one of two. */
export const withTwoEdits = (path: string): void => {
  const bytes = readFileSync(path);
  const list = boxNamed(bytes, ["moov", "trak", "edts", "elst"]);
  const [movieScale, mediaScale] = [
    bytes.readUInt32BE((boxNamed(bytes, ["moov", "mvhd"]).at(-1) ?? 0) + 20),
    bytes.readUInt32BE((boxNamed(bytes, ["moov", "trak", "mdia", "mdhd"]).at(-1) ?? 0) + 20),
  ];
  const entries = Buffer.alloc(twoEdits.length * 12);
  for (const [index, { mediaTime, duration }] of twoEdits.entries()) {
    entries.writeUInt32BE(Math.round(duration * movieScale), index * 12);
    entries.writeInt32BE(Math.round(mediaTime * mediaScale), index * 12 + 4);
    entries.writeInt32BE(65_536, index * 12 + 8);
  }
  // Every box around the list grows by one entry.
  for (const at of list) bytes.writeUInt32BE(bytes.readUInt32BE(at) + 12, at);
  const begin = (list.at(-1) ?? 0) + 12;
  bytes.writeUInt32BE(twoEdits.length, begin);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, begin + 4), entries, bytes.subarray(begin + 16)]));
};

/** Where each box on the way begins. */
const boxNamed = (bytes: Buffer, names: readonly string[]): number[] => {
  let [at, end] = [0, bytes.length];
  return names.map((name) => {
    while (at < end && bytes.toString("latin1", at + 4, at + 8) !== name) at += bytes.readUInt32BE(at);
    const found = at;
    end = Math.min(end, at + bytes.readUInt32BE(at));
    at += 8;
    return found;
  });
};
