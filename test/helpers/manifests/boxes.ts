/** A box of an MP4 file (ISO/IEC 14496-12); its payload is between the two offsets. */
export type Box = { readonly type: string; readonly from: number; readonly to: number };

/** The boxes between two offsets, as far as they are whole. */
export const boxesIn = (bytes: Buffer, from = 0, to = bytes.length): Box[] => {
  const found: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const small = bytes.readUInt32BE(at);
    const size = small === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : small === 0 ? to - at : small;
    if (size < 8 || at + size > to) break;
    found.push({ type: bytes.toString("latin1", at + 4, at + 8), from: at + (small === 1 ? 16 : 8), to: at + size });
    at += size;
  }
  return found;
};

/** The first box under these names, one in the other. */
export const boxAt = (bytes: Buffer, path: readonly string[], within?: Box): Box | undefined => {
  const [name, ...deeper] = path;
  const found = boxesIn(bytes, within?.from, within?.to).find(({ type }) => type === name);
  return deeper.length > 0 ? found && boxAt(bytes, deeper, found) : found;
};

/** What `moov` says of a track. */
export type Track = {
  readonly id: number;
  readonly kind: "video" | "audio" | "text";
  readonly timescale: number;
  /** Of `mdhd`, or of `elng`. */
  readonly language: string;
  /** As RFC 6381 writes it. */
  readonly codecs: string;
  readonly width?: number;
  readonly height?: number;
  readonly channels?: number;
  readonly sampleRate?: number;
  /** ISO/IEC 23091-2, of `colr`. */
  readonly transfer?: number;
  readonly isEncrypted: boolean;
  /** Ticks of its media before what is shown first. */
  readonly priming: number;
  /** How long a sample lasts if its fragment does not say it, and its flags. */
  readonly usual: { readonly duration: number; readonly flags: number };
};

/** What one fragment holds of a track; times are ticks. */
export type Fragment = {
  readonly track: number;
  readonly from: number;
  readonly decoded: number | undefined;
  readonly duration: number;
  /** When its earliest sample is shown, against `decoded`. */
  readonly shown: number;
  readonly beginsWithSync: boolean;
  readonly bytes: number;
};

const isSync = (flags: number): boolean => (flags & 0x10000) === 0;

/** Every fragment of these bytes. */
export const fragmentsIn = (bytes: Buffer, tracks: readonly Track[]): Fragment[] => {
  const all = boxesIn(bytes);
  return all.flatMap((moof, at) => {
    if (moof.type !== "moof") return [];
    const data = all.slice(at).find(({ type }) => type === "mdat");
    return boxesIn(bytes, moof.from, moof.to)
      .filter(({ type }) => type === "traf")
      .map((traf) => fragmentOf(bytes, traf, tracks, moof.from - 8, (data?.to ?? moof.to) - moof.from + 8));
  });
};

const fragmentOf = (bytes: Buffer, traf: Box, tracks: readonly Track[], from: number, length: number): Fragment => {
  const inside = boxesIn(bytes, traf.from, traf.to);
  const head = inside.find(({ type }) => type === "tfhd")?.from ?? 0;
  const track = bytes.readUInt32BE(head + 4);
  const own = defaultsOf(bytes, head, tracks.find(({ id }) => id === track)?.usual);
  const time = inside.find(({ type }) => type === "tfdt")?.from;
  let [duration, shown] = [0, Number.POSITIVE_INFINITY];
  let sync: boolean | undefined;
  for (const run of inside.filter(({ type }) => type === "trun"))
    for (const sample of samplesOf(bytes, run.from, own)) {
      sync ??= isSync(sample.flags);
      shown = Math.min(shown, duration + sample.offset);
      duration += sample.duration;
    }
  return {
    ...{
      track,
      from,
      duration,
      bytes: length,
      beginsWithSync: sync ?? true,
      shown: Number.isFinite(shown) ? shown : 0,
    },
    decoded:
      time === undefined
        ? undefined
        : bytes[time] === 1
          ? Number(bytes.readBigUInt64BE(time + 4))
          : bytes.readUInt32BE(time + 4),
  };
};

type Defaults = { readonly duration: number; readonly flags: number };

const defaultsOf = (bytes: Buffer, head: number, usual: Defaults = { duration: 0, flags: 0 }): Defaults => {
  const flags = bytes.readUInt32BE(head) & 0xffffff;
  let at = head + 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  const next = (mask: number): number | undefined => {
    if ((flags & mask) === 0) return undefined;
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  const duration = next(8);
  next(0x10);
  return { duration: duration ?? usual.duration, flags: next(0x20) ?? usual.flags };
};

type Sample = { readonly duration: number; readonly flags: number; readonly offset: number };

const samplesOf = (bytes: Buffer, run: number, usual: Defaults): Sample[] => {
  const flags = bytes.readUInt32BE(run) & 0xffffff;
  const count = bytes.readUInt32BE(run + 4);
  let at = run + 8 + (flags & 1 ? 4 : 0);
  const first = flags & 4 ? bytes.readUInt32BE(at) : undefined;
  if (flags & 4) at += 4;
  return Array.from({ length: count }, (_, index) => {
    const next = (mask: number): number | undefined => {
      if ((flags & mask) === 0) return undefined;
      at += 4;
      return bytes.readInt32BE(at - 4);
    };
    const duration = next(0x100) ?? usual.duration;
    next(0x200);
    const own = next(0x400) ?? (index === 0 ? first : undefined) ?? usual.flags;
    return { duration, flags: own, offset: next(0x800) ?? 0 };
  });
};
