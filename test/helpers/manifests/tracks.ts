import { type Box, boxAt, boxesIn, type Track } from "./boxes.ts";
import { codecOf } from "./codec-of.ts";

const kinds: Readonly<Record<string, Track["kind"]>> = { vide: "video", soun: "audio" };

/** The tracks that the header of an MP4 file describes. */
export const tracksIn = (bytes: Buffer): Track[] => {
  const movie = boxAt(bytes, ["moov"]);
  if (!movie) return [];
  const usual = new Map(
    boxesIn(bytes, boxAt(bytes, ["mvex"], movie)?.from ?? 0, boxAt(bytes, ["mvex"], movie)?.to ?? 0)
      .filter(({ type }) => type === "trex")
      .map(({ from }) => [
        bytes.readUInt32BE(from + 4),
        { duration: bytes.readUInt32BE(from + 12), flags: bytes.readUInt32BE(from + 20) },
      ]),
  );
  return boxesIn(bytes, movie.from, movie.to)
    .filter(({ type }) => type === "trak")
    .map((track) => trackOf(bytes, track, usual));
};

const trackOf = (bytes: Buffer, track: Box, usual: ReadonlyMap<number, Track["usual"]>): Track => {
  const head = boxAt(bytes, ["tkhd"], track)?.from ?? 0;
  const id = bytes.readUInt32BE(head + (bytes[head] === 1 ? 20 : 12));
  const media = boxAt(bytes, ["mdia"], track);
  const clock = boxAt(bytes, ["mdhd"], media)?.from ?? 0;
  const isLong = bytes[clock] === 1;
  const handler = boxAt(bytes, ["hdlr"], media)?.from ?? 0;
  const kind = kinds[bytes.toString("latin1", handler + 8, handler + 12)] ?? "text";
  const table = boxAt(bytes, ["minf", "stbl", "stsd"], media);
  const [entry] = table ? boxesIn(bytes, table.from + 8, table.to) : [];
  return {
    ...{ id, kind, timescale: bytes.readUInt32BE(clock + (isLong ? 20 : 12)) },
    language: extended(bytes, media) ?? packed(bytes.readUInt16BE(clock + (isLong ? 32 : 20))),
    ...(entry ? described(bytes, entry, kind) : { codecs: "", isEncrypted: false }),
    priming: primingOf(bytes, track),
    usual: usual.get(id) ?? { duration: 0, flags: 0 },
  };
};

/** Ticks of the media before what is shown first (ISO/IEC 14496-12, 8.6.6). */
const primingOf = (bytes: Buffer, track: Box): number => {
  const list = boxAt(bytes, ["edts", "elst"], track);
  if (!list) return 0;
  const isLong = bytes[list.from] === 1;
  const size = isLong ? 20 : 12;
  for (let at = list.from + 8; at + size <= list.to; at += size) {
    const time = isLong ? Number(bytes.readBigInt64BE(at + 8)) : bytes.readInt32BE(at + 4);
    if (time >= 0) return time;
  }
  return 0;
};

const extended = (bytes: Buffer, media: Box | undefined): string | undefined => {
  const box = boxAt(bytes, ["elng"], media);
  return box && bytes.toString("latin1", box.from + 4, box.to).replace(/\0.*/, "");
};

/** Three letters of five bits. */
const packed = (word: number): string =>
  [10, 5, 0].map((shift) => String.fromCharCode(96 + ((word >> shift) & 31))).join("");

const heads: Readonly<Record<Track["kind"], number>> = { video: 78, audio: 28, text: 8 };

const described = (bytes: Buffer, entry: Box, kind: Track["kind"]) => {
  const inside: Box = { ...entry, from: entry.from + heads[kind] };
  const original = boxAt(bytes, ["sinf", "frma"], inside);
  const type = original ? bytes.toString("latin1", original.from, original.to) : entry.type;
  const color = boxAt(bytes, ["colr"], inside);
  return {
    ...{ codecs: codecOf(bytes, type, inside), isEncrypted: original !== undefined },
    ...(kind === "video" && {
      width: bytes.readUInt16BE(entry.from + 24),
      height: bytes.readUInt16BE(entry.from + 26),
    }),
    ...(kind === "audio" && {
      channels: bytes.readUInt16BE(entry.from + 16),
      sampleRate: bytes.readUInt16BE(entry.from + 24),
    }),
    ...(color && bytes.toString("latin1", color.from, color.from + 4) === "nclx"
      ? { transfer: bytes.readUInt16BE(color.from + 6) }
      : {}),
  };
};
