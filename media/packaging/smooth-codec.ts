import { hexOfBytes } from "../../shared/basics/hex.ts";
import { boxesIn, textAt } from "../formats/mp4/parts.ts";

/** How a manifest of Smooth Streaming names a codec, with the bytes that a decoder begins with (MS-SSTR, 2.2.2.5). */
export type SmoothCodec = { readonly fourCc: string /** Hexadecimal. */; readonly privateData: string };

/** Codecs as ffprobe names them that a manifest of Smooth Streaming has a name for. */
export const smoothCodecs: Readonly<Record<"video" | "audio", readonly string[]>> = { video: ["h264"], audio: ["aac"] };

/** Of the first sample entry of a `stsd` box (ISO/IEC 14496-12, 8.5.2); undefined for another codec or a damaged box. */
export const parseSmoothCodec = (stsd: DataView): SmoothCodec | undefined => {
  const bytes = new Uint8Array(stsd.buffer, stsd.byteOffset, stsd.byteLength);
  const [entry] = boxesIn(bytes, 8);
  return entry && readers[textAt(entry, 4)]?.(entry);
};

/** Bytes of a sample entry before the boxes in it: of pictures, and of sound in its first version. */
const [pictureFields, soundFields] = [86, 36];

const payloadOf = (entry: Uint8Array, from: number, type: string): Uint8Array | undefined =>
  boxesIn(entry, from)
    .find((box) => textAt(box, 4) === type)
    ?.subarray(8);

const avc = (entry: Uint8Array): SmoothCodec | undefined => {
  const sets = parameterSets(payloadOf(entry, pictureFields, "avcC"));
  return sets && { fourCc: "H264", privateData: sets.map((set) => `00000001${hex(set)}`).join("") };
};

const aac = (entry: Uint8Array): SmoothCodec | undefined => {
  const config = specificInfo(payloadOf(entry, soundFields, "esds")?.subarray(4));
  return config && { fourCc: "AACL", privateData: hex(config) };
};

const readers: Readonly<Record<string, (entry: Uint8Array) => SmoothCodec | undefined>> = {
  avc1: avc,
  avc3: avc,
  mp4a: aac,
};

/** The parameter sets of sequence and picture of a decoder configuration (ISO/IEC 14496-15, 5.3.3.1). */
const parameterSets = (config: Uint8Array | undefined): Uint8Array[] | undefined => {
  if (!config || config.length < 7) return undefined;
  const view = new DataView(config.buffer, config.byteOffset, config.byteLength);
  const sets: Uint8Array[] = [];
  let at = 5;
  for (const countBits of [0x1f, 0xff]) {
    if (at >= config.length) return undefined;
    const count = view.getUint8(at) & countBits;
    at += 1;
    for (let nr = 0; nr < count; nr += 1) {
      if (at + 2 > config.length) return undefined;
      const length = view.getUint16(at);
      if (at + 2 + length > config.length) return undefined;
      sets.push(config.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  return sets.length > 0 ? sets : undefined;
};

/** Tags of descriptors (ISO/IEC 14496-1, 7.2.2.1), and the bytes of their own before the descriptors in them. */
const [streamTag, configTag, infoTag] = [3, 4, 5];
const [streamFields, configFields] = [3, 13];

/** The AudioSpecificConfig within an elementary stream descriptor. */
const specificInfo = (bytes: Uint8Array | undefined): Uint8Array | undefined => {
  const stream = bytes && descriptor(bytes, streamTag);
  const config = stream && descriptor(stream.subarray(streamFields), configTag);
  return config && descriptor(config.subarray(configFields), infoTag);
};

/** The payload of the descriptor that the bytes begin with. Seven bits of its length are in each byte. */
const descriptor = (bytes: Uint8Array, tag: number): Uint8Array | undefined => {
  if (bytes[0] !== tag) return undefined;
  let [length, at] = [0, 1];
  for (let more = true; more && at <= 4; at += 1) {
    const byte = bytes[at] ?? 0;
    length = length * 128 + (byte & 0x7f);
    more = byte >= 0x80;
  }
  return at + length <= bytes.length ? bytes.subarray(at, at + length) : undefined;
};

const hex = (bytes: Uint8Array): string => hexOfBytes(bytes).toUpperCase();
