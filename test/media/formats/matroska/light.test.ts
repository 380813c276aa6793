import { expect, test } from "vitest";
import {
  type Element,
  elementAt,
  elementsIn,
  printElement,
  printElements,
} from "../../../../media/formats/matroska/elements.ts";
import { roomForLight, tracksIn, withLight } from "../../../../media/formats/matroska/light.ts";

const text = (id: number, words: string): Element => ({ id, payload: new TextEncoder().encode(words) });
const byte = (id: number, value: number): Element => ({ id, payload: new Uint8Array([value]) });
const master = (id: number, elements: readonly Element[]): Element => ({ id, payload: printElements(elements) });

const picture = (name: string) =>
  master(0xae, [byte(0x83, 1), text(0x536e, name), master(0xe0, [byte(0xb0, 64), master(0x55b0, [byte(0x55b1, 9)])])]);
const sound = master(0xae, [byte(0x83, 2), text(0x536e, `sound${roomForLight}`)]);
const tracksOf = (...tracks: Element[]) => printElements([{ id: 0xbf, payload: new Uint8Array(4) }, ...tracks]);

const display = [13_250, 34_500, 7_500, 3_000, 34_000, 16_000, 15_635, 16_450, 10_000_000, 50];
const nested = (payload: Uint8Array, ...ids: number[]): Uint8Array =>
  ids.reduce((inner, id) => elementsIn(inner).find((each) => each.id === id)?.payload ?? new Uint8Array(), payload);

test("HDR10 takes the room that the name of the picture's track leaves, and nothing moves", () => {
  const tracks = tracksOf(sound, picture(`Film${roomForLight}`));
  const made = withLight(tracks, { display, light: [1000, 400] }) ?? new Uint8Array();
  expect(made).toHaveLength(tracks.length);
  const [checksum, first, second] = elementsIn(made);
  expect(first).toEqual(elementsIn(tracks)[1]);
  const track = second?.payload ?? new Uint8Array();
  expect(new TextDecoder().decode(nested(track, 0x536e))).toBe("Film");
  const color = nested(track, 0xe0, 0x55b0);
  expect(elementsIn(color).map(({ id }) => id)).toEqual([0x55b1, 0x55bc, 0x55bd, 0x55d0]);
  const numbers = elementsIn(nested(color, 0x55d0)).map(({ payload }) =>
    new DataView(payload.buffer, payload.byteOffset).getFloat64(0),
  );
  expect(numbers).toEqual([0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329, 1000, 0.005]);
  expect(checksum?.payload).not.toEqual(new Uint8Array(4));
});

test("the checksum of tracks is that of ISO 3309", () => {
  const tracks = tracksOf(picture(roomForLight));
  const made = withLight(tracks, { light: [1, 1] }) ?? new Uint8Array();
  const table = Array.from({ length: 256 }, (_, at) =>
    Array.from({ length: 8 }).reduce<number>((sum) => (sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1), at),
  );
  const sum = made.subarray(6).reduce((crc, each) => (table[(crc ^ each) & 0xff] ?? 0) ^ (crc >>> 8), -1);
  expect(new DataView(made.buffer).getUint32(2, true)).toBe(~sum >>> 0);
});

test("without room or without a picture there is no change", () => {
  expect(withLight(tracksOf(picture("Film")), { light: [1000, 400] })).toBeUndefined();
  expect(withLight(tracksOf(sound), { light: [1000, 400] })).toBeUndefined();
});

test("the tracks of a file are found before its first cluster, whatever its lengths look like", () => {
  const tracks = { id: 0x1654ae6b, payload: tracksOf(sound) };
  const header = printElement({ id: 0x1a45dfa3, payload: new Uint8Array(5) });
  const within = printElements([{ id: 0xec, payload: new Uint8Array(200) }, tracks]);
  const file = (inner: Uint8Array) =>
    new Uint8Array([...header, ...printElement({ id: 0x18538067, payload: inner }, 8)]);
  const found = tracksIn(file(within));
  expect(found && file(within).subarray(found.from, found.to)).toEqual(tracks.payload);
  expect(tracksIn(file(printElements([{ id: 0x1f43b675, payload: new Uint8Array(3) }, tracks])))).toBeUndefined();
  expect(elementAt(new Uint8Array([0xae, 0x01, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]), 0)).toEqual({
    id: 0xae,
    at: 0,
    from: 9,
    to: 12,
  });
});
