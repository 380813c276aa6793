import { expect, test } from "vitest";
import { designatorOf } from "../../../../media/formats/channel-designators.ts";
import { joined } from "../../../../media/formats/joined-bytes.ts";
import { changedHeader } from "../../../../media/formats/mxf/header.ts";
import {
  bytesOf,
  itemsIn,
  klvsIn,
  number16,
  number32,
  printItems,
  printKlv,
} from "../../../../media/formats/mxf/klv.ts";
import { measuresOf, movedPartition, partitionIn, partitionsIn } from "../../../../media/formats/mxf/partitions.ts";
import { channelLabelOf } from "../../../../media/formats/mxf/sound-labels.ts";

const instance = bytesOf("060e2b34.01010101.01011502.00000000");
const primer = printKlv({
  key: bytesOf("060e2b34.02050101.0d010201.01050100"),
  value: joined([number32(1), number32(18), number16(0x3c0a), instance]),
});
const setOf = (kind: string) =>
  printKlv({
    key: bytesOf(`060e2b34.02530101.0d010101.0101${kind}00`),
    value: printItems([{ tag: 0x3c0a, value: new Uint8Array(16) }]),
  });

const named = (metadata: Uint8Array, names: readonly string[], language?: string) => {
  let id = 0;
  const newId = () => new Uint8Array(16).fill(++id);
  const sounds = [{ track: 1, channels: names.map(designatorOf), language }];
  return changedHeader(metadata, 512, { changes: { sounds }, newId });
};

const tagsOf = (made: Uint8Array) => {
  const [first] = klvsIn(made);
  const value = first?.value ?? new Uint8Array();
  const view = new DataView(value.buffer, value.byteOffset);
  return Array.from({ length: view.getUint32(0) }, (_, at) => view.getUint16(8 + at * 18));
};

test("channels get a label each and one of their soundfield; every tag is explained once, and the grid is kept", () => {
  const made = named(
    joined([primer, setOf("48"), setOf("48")]),
    ["left", "right", "center", "lfe_screen", "left_surround", "right_surround"],
    "de",
  );
  expect(made.length % 512).toBe(0);
  const sets = klvsIn(made).filter(({ key }) => key[4] === 2 && key[5] === 0x53);
  expect(sets.map(({ key }) => key[14])).toEqual([0x48, 0x48, 0x6c, ...Array(6).fill(0x6b)]);
  const tags = tagsOf(made);
  expect(new Set(tags).size).toBe(tags.length);
  expect(sets.flatMap(({ value }) => itemsIn(value)).filter(({ tag }) => !tags.includes(tag))).toEqual([]);
  const [plain, changed, group] = sets.map(({ value }) => itemsIn(value));
  expect(plain).toHaveLength(1);
  const references = changed?.find(({ value }) => value.length === 8 + 7 * 16)?.value ?? new Uint8Array();
  expect(references.subarray(8, 24)).toEqual(group?.[0]?.value);
  expect(Buffer.from(made).toString("latin1")).toContain("\0s\0g\x005\x001");
  expect(Buffer.from(made).toString("latin1")).toContain("de");
});

test.each([
  ["left", "chL"],
  ["discrete_0", "chNSC001"],
  ["discrete_126", "chNSC127"],
  ["discrete_127", undefined],
  ["haptic", undefined],
  ["narration", "chVIN"],
])("%s is %s in MXF", (name, symbol) => {
  expect(channelLabelOf(designatorOf(name))?.symbol).toBe(symbol);
});

test("the light of a picture stands in its descriptor, red before green before blue", () => {
  const display = [1, 2, 3, 4, 5, 6, 7, 8, 90_000, 10];
  const made = changedHeader(joined([primer, setOf("28")]), 512, {
    changes: { light: { display, light: [1000, 400] } },
    newId: () => new Uint8Array(16),
  });
  const [picture] = klvsIn(made).filter(({ key }) => key[14] === 0x28);
  const values = itemsIn(picture?.value ?? new Uint8Array()).map(({ value }) => [...value]);
  expect(values.slice(1)).toEqual([
    ...[
      [0, 5, 0, 6, 0, 1, 0, 2, 0, 3, 0, 4],
      [0, 7, 0, 8],
      [0, 1, 95, 144],
      [0, 0, 0, 10],
    ],
    ...[
      [3, 232],
      [1, 144],
    ],
  ]);
});

test("a header without a primer pack is refused", () => {
  expect(() => named(setOf("48"), ["left"])).toThrow("no primer pack");
});

test("partitions say where they lie once all has moved", () => {
  const value = new Uint8Array(88);
  const view = new DataView(value.buffer);
  view.setUint32(4, 512);
  for (const [field, number] of [
    [8, 4096],
    [16, 0],
    [24, 9000],
    [32, 2048],
  ] as const)
    view.setBigUint64(field, BigInt(number));
  const pack = printKlv({ key: bytesOf("060e2b34.02050101.0d010201.01030400"), value });
  const found = partitionIn(joined([pack, new Uint8Array(100)]));
  if (!found) throw new Error("no partition");
  expect(measuresOf(found)).toEqual({ headerBytes: 2048, grid: 512 });
  const moved = partitionIn(movedPartition(found, 1024, 512));
  const at = (field: number) =>
    Number(new DataView((moved?.bytes ?? value).buffer).getBigUint64((moved?.value ?? 0) + field));
  expect([8, 16, 24, 32].map(at)).toEqual([5120, 0, 10_024, 2560]);
  const table = joined([number32(0), number32(0), number32(0), number32(1), number32(0), number32(4096), number32(64)]);
  const index = printKlv({ key: bytesOf("060e2b34.02050101.0d010201.01110100"), value: table });
  expect(partitionsIn(index)?.map(({ offset }) => offset)).toEqual([0, 4096]);
  expect(partitionsIn(pack)).toBeUndefined();
});
