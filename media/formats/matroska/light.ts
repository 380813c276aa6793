import { type Element, elementAt, elementsIn, type Place, printElement, printElements } from "./elements.ts";

/** What HDR10 says of a picture. */
export type Light = {
  /** Green, blue, red and white by two numbers each in 1/50000, the most and the least light in 1/10000 candelas. */
  readonly display?: readonly number[] | undefined;
  /** The most light of a point and of a picture. */
  readonly light?: readonly number[] | undefined;
};

/**
 * A muxer that leaves room for HDR10 writes a name of the picture's track that ends so; what stands in its place is not
 * longer, and nothing in the file moves.
 */
export const roomForLight = ` ${"~".repeat(167)}`;

/** Numbers of elements (RFC 9559, 5.1). */
const ids = {
  ...{ segment: 0x18538067, cluster: 0x1f43b675, tracks: 0x1654ae6b, track: 0xae, type: 0x83, name: 0x536e },
  ...{ video: 0xe0, color: 0x55b0, display: 0x55d0, most: 0x55bc, average: 0x55bd, filler: 0xec, checksum: 0xbf },
} as const;

/** Where the element with all tracks lies in the first bytes of a file, and those bytes. */
export const tracksIn = (head: Uint8Array): Place | undefined => {
  const first = elementAt(head, 0);
  const segment = first && elementAt(head, first.to);
  if (segment?.id !== ids.segment) return undefined;
  for (let place = elementAt(head, segment.from); place && place.to <= head.length; place = elementAt(head, place.to)) {
    if (place.id === ids.tracks) return place;
    if (place.id === ids.cluster) return undefined;
  }
  return undefined;
};

/** The payload of the element with all tracks, as long as before; undefined where no picture's track has room. */
export const withLight = (tracks: Uint8Array, light: Light): Uint8Array | undefined => {
  const made = tracks.slice();
  let isDone = false;
  for (let at = 0; at < made.length; ) {
    const place = elementAt(made, at);
    if (!place || place.to > made.length) break;
    const track = made.subarray(place.from, place.to);
    const changed: Uint8Array | undefined = place.id === ids.track && !isDone ? changedTrack(track, light) : undefined;
    if (changed) made.set(changed, place.from);
    isDone ||= changed !== undefined;
    at = place.to;
  }
  return isDone ? withChecksum(made) : undefined;
};

const changedTrack = (track: Uint8Array, light: Light): Uint8Array | undefined => {
  const elements = elementsIn(track);
  const isPicture = elements.some(({ id, payload }) => id === ids.type && payload.at(-1) === 1);
  if (!isPicture) return undefined;
  const others = elements.flatMap((each): Element[] => {
    if (each.id === ids.name) return shortName(each);
    return each.id === ids.video ? [{ id: ids.video, payload: printElements(lit(each.payload, light)) }] : [each];
  });
  const changed = printElements(others);
  const room = track.length - changed.length;
  if (room === 0) return changed;
  // The shortest filler has two bytes.
  if (room < 2) return undefined;
  const made = new Uint8Array(track.length);
  made.set(changed);
  const sizeLength = room > 120 ? 8 : 1;
  const filler = { id: ids.filler, payload: new Uint8Array(room - 1 - sizeLength) };
  made.set(printElement(filler, sizeLength), changed.length);
  return made;
};

const shortName = ({ id, payload }: Element): Element[] => {
  const name = new TextDecoder().decode(payload);
  if (!name.endsWith(roomForLight)) return [{ id, payload }];
  const short = name.slice(0, -roomForLight.length);
  return short === "" ? [] : [{ id, payload: new TextEncoder().encode(short) }];
};

const lit = (video: Uint8Array, { display, light }: Light): Element[] => {
  const elements = elementsIn(video);
  const color = elements.find(({ id }) => id === ids.color);
  const said: readonly number[] = [ids.display, ids.most, ids.average];
  const kept = color ? elementsIn(color.payload).filter(({ id }) => !said.includes(id)) : [];
  const [most, average] = light ?? [];
  const added = [
    ...(most === undefined ? [] : [{ id: ids.most, payload: whole(most) }]),
    ...(average === undefined ? [] : [{ id: ids.average, payload: whole(average) }]),
    ...(display ? [{ id: ids.display, payload: displayOf(display) }] : []),
  ];
  return [
    ...elements.filter(({ id }) => id !== ids.color),
    { id: ids.color, payload: printElements([...kept, ...added]) },
  ];
};

/** Red, green, blue and white, each across and up, then the most and the least light: elements in a row of numbers. */
const firstOfDisplay = 0x55d1;
const inOrder = [4, 5, 0, 1, 2, 3, 6, 7, 8, 9];
const units = (index: number) => (index < 8 ? 50_000 : 10_000);

const displayOf = (display: readonly number[]): Uint8Array =>
  printElements(
    inOrder.map((from, index) => ({
      id: firstOfDisplay + index,
      payload: fraction((display[from] ?? 0) / units(index)),
    })),
  );

const fraction = (value: number): Uint8Array => {
  const made = new DataView(new ArrayBuffer(8));
  made.setFloat64(0, value);
  return new Uint8Array(made.buffer);
};

const whole = (value: number): Uint8Array => {
  const made = new DataView(new ArrayBuffer(4));
  made.setUint32(0, value);
  return new Uint8Array(made.buffer);
};

/** The checksum is the first element, over all that follow it (RFC 8794, 11.3.1). */
const withChecksum = (tracks: Uint8Array): Uint8Array => {
  const first = elementAt(tracks, 0);
  if (first?.id !== ids.checksum || first.to - first.from !== 4) return tracks;
  new DataView(tracks.buffer, tracks.byteOffset).setUint32(first.from, checksumOf(tracks.subarray(first.to)), true);
  return tracks;
};

/** CRC-32 as in ISO 3309, whose lowest bit comes first. */
const checksumOf = (bytes: Uint8Array): number => {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
};
