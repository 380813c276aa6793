/** Two bytes of one field's captions. */
export type FieldPair = { readonly field: 1 | 2; readonly pair: number };

/**
 * H.264 of single pictures with the captions of each picture before it, in SEI messages as ATSC A/53 part 4 has them: pairs
 * of CEA-608, and the packet of the caption channel of CEA-708.
 * Encoders copy them from decoded pictures to the streams that they make.
 */
export const withCaptions = (
  stream: Uint8Array,
  pairsOf: (picture: number) => readonly FieldPair[],
  packetOf: (picture: number) => readonly number[] = () => [],
): Uint8Array => {
  const parts: Uint8Array[] = [];
  let picture = 0;
  for (const unit of unitsOf(stream)) {
    const kind = (unit[0] ?? 0) & 31;
    if (kind === 1 || kind === 5) {
      const pairs = pairsOf(picture);
      const packet = packetOf(picture);
      if (pairs.length > 0 || packet.length > 0) parts.push(startCode, seiOf(pairs, packet));
      picture += 1;
    }
    parts.push(startCode, unit);
  }
  return concatenated(parts);
};

const startCode = new Uint8Array([0, 0, 0, 1]);

/** What stands between start codes, without the zeros before the next one. */
function* unitsOf(stream: Uint8Array): Generator<Uint8Array> {
  let begin = nextStart(stream, 0);
  while (begin < stream.length) {
    const next = nextStart(stream, begin);
    let end = next < stream.length ? next - 3 : stream.length;
    while (end > begin && stream[end - 1] === 0) end -= 1;
    if (end > begin) yield stream.subarray(begin, end);
    begin = next;
  }
}

/** The place behind the next start code; the end where there is none. */
const nextStart = (stream: Uint8Array, from: number): number => {
  for (let at = stream.indexOf(1, from); at !== -1; at = stream.indexOf(1, at + 1))
    if (at >= from + 2 && stream[at - 1] === 0 && stream[at - 2] === 0) return at + 1;
  return stream.length;
};

/** A picture has room for so many triplets. */
const mostTriplets = 31;

const seiOf = (pairs: readonly FieldPair[], packet: readonly number[]): Uint8Array => {
  const services = packet.flatMap((byte, at) => (at % 2 === 0 ? [at === 0 ? 0xff : 0xfe, byte] : [byte]));
  const fields = pairs
    .slice(0, mostTriplets - packet.length / 2)
    .flatMap(({ field, pair }) => [field === 1 ? 0xfc : 0xfd, pair >> 8, pair & 0xff]);
  const triplets = [...fields, ...services];
  const country = [0xb5, 0x00, 0x31];
  const head = [...new TextEncoder().encode("GA94"), 0x03, 0x40 | (triplets.length / 3), 0xff];
  const payload = [...country, ...head, ...triplets, 0xff];
  return new Uint8Array([0x06, ...withoutStartCodes([0x04, payload.length, ...payload, 0x80])]);
};

/** No three bytes may look like a start code. */
const withoutStartCodes = (bytes: readonly number[]): number[] => {
  const safe: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      safe.push(3);
      zeros = 0;
    }
    safe.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return safe;
};

const concatenated = (parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
