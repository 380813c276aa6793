import type { Designator } from "../channel-designators.ts";
import { joined } from "../joined-bytes.ts";
import type { Light } from "../matroska/light.ts";
import {
  bytesOf,
  type Item,
  isKey,
  itemsIn,
  type Klv,
  klvsIn,
  number16,
  number32,
  printItems,
  printKlv,
} from "./klv.ts";
import { type AddedSet, labelSets, type Tagger } from "./sound-labels.ts";

/** What the header of an MXF file is to say of its streams, which its muxer has no options for. */
export type HeaderChanges = {
  readonly light?: Light | undefined;
  /** By the number of the sound among all of the file. */
  readonly sounds?: readonly NamedSound[] | undefined;
};
type NamedSound = {
  readonly track: number;
  readonly channels: readonly Designator[];
  readonly language?: string | undefined;
};

type Making = {
  readonly changes: HeaderChanges;
  /** An identifier that nothing else has. */
  readonly newId: () => Uint8Array;
};

const primerKey = bytesOf("060e2b34.02050101.0d010201.01050100");
const fillerKey = bytesOf("060e2b34.01010102.03010210.01000000");
/** The last byte but one tells the kind of a set. */
const setKey = bytesOf("060e2b34.02530101.0d010101.01010000");
const kindAt = 14;
const sounds = [0x42, 0x47, 0x48];
/** Those with a place for how channels are assigned. */
const waves = [0x47, 0x48];
const pictures = [0x27, 0x28, 0x29, 0x51];

/**
 * The metadata of a header, from its primer pack on, with changes; it ends with a filler, so that it has a length that
 * divides by `grid`, and is no shorter than before.
 */
export const changedHeader = (metadata: Uint8Array, grid: number, making: Making): Uint8Array => {
  const [primer, ...all] = klvsIn(metadata).filter(({ key }) => !isKey(key, fillerKey));
  if (!primer || !isKey(primer.key, primerKey)) throw new RangeError("the header has no primer pack");
  const { tagOf, printed } = primerOf(primer.value);
  const added: AddedSet[] = [];
  let track = -1;
  const sets = all.map((klv): Klv => {
    const kind = isKey(klv.key.subarray(0, kindAt), setKey.subarray(0, kindAt)) ? (klv.key[kindAt] ?? 0) : 0;
    if (sounds.includes(kind)) track += 1;
    const items = sounds.includes(kind)
      ? namedSound(itemsIn(klv.value), { kind, track, added, tagOf, making })
      : pictures.includes(kind) && making.changes.light
        ? litPicture(itemsIn(klv.value), making.changes.light, tagOf)
        : undefined;
    return items ? { key: klv.key, value: printItems(items) } : klv;
  });
  const others = added.map(({ kind, items }): Klv => ({ key: keyOfKind(kind), value: printItems(items) }));
  // The primer pack is printed last: only then are all tags known.
  const bytes = joined([...sets, ...others].map(printKlv));
  const made = joined([printKlv({ key: primer.key, value: printed() }), bytes]);
  return filled(made, Math.max(metadata.length, Math.ceil((made.length + leastFiller) / grid) * grid), grid);
};

const keyOfKind = (kind: number): Uint8Array => {
  const key = setKey.slice();
  key[kindAt] = kind;
  return key;
};

const leastFiller = 20;

const filled = (made: Uint8Array, length: number, grid: number): Uint8Array => {
  const rest = length - made.length;
  if (rest === 0) return made;
  const size = rest < leastFiller ? rest + grid : rest;
  return joined([made, printKlv({ key: fillerKey, value: new Uint8Array(size - leastFiller) })]);
};

const ownTags = 0x9000;

/** Tags by what explains them: those of the file, then new ones. */
const primerOf = (primer: Uint8Array): { readonly tagOf: Tagger; readonly printed: () => Uint8Array } => {
  const view = new DataView(primer.buffer, primer.byteOffset, primer.byteLength);
  const count = view.getUint32(0);
  const known = Array.from({ length: count }, (_, index) => {
    const at = 8 + index * 18;
    return { tag: view.getUint16(at), explanation: primer.subarray(at + 2, at + 18) };
  });
  const tagOf = (explanation: Uint8Array): number => {
    const found = known.find((each) => isKey(each.explanation, explanation));
    if (found) return found.tag;
    const used = new Set(known.map(({ tag }) => tag));
    const fixed = fixedTags.find((each) => isKey(each.explanation, explanation))?.tag;
    let tag = fixed !== undefined && !used.has(fixed) ? fixed : ownTags;
    while (used.has(tag)) tag += 1;
    known.push({ tag, explanation });
    return tag;
  };
  const printed = () =>
    joined([
      number32(known.length),
      number32(18),
      ...known.flatMap(({ tag, explanation }) => [number16(tag), explanation]),
    ]);
  return { tagOf, printed };
};

const explained = {
  subDescriptors: bytesOf("060e2b34.01010109.06010104.06100000"),
  assignment: bytesOf("060e2b34.01010107.04020101.05000000"),
  primaries: bytesOf("060e2b34.0101010e.04200401.01010000"),
  white: bytesOf("060e2b34.0101010e.04200401.01020000"),
  most: bytesOf("060e2b34.0101010e.04200401.01030000"),
  least: bytesOf("060e2b34.0101010e.04200401.01040000"),
  // Of Apple, in its own part of the register: the standards name no place for the light of pictures.
  mostOfPoints: bytesOf("060e2b34.0101010e.0e200401.05030101"),
  mostOfPictures: bytesOf("060e2b34.0101010e.0e200401.05030102"),
} as const;

/** Tags that ST 377-1 gives itself. */
const fixedTags = [{ tag: 0x3d32, explanation: explained.assignment }];

/** Channels are assigned by their labels (ST 2067-8). */
const byLabels = bytesOf("060e2b34.0401010d.04020210.04010000");

type Place = {
  readonly kind: number;
  readonly track: number;
  readonly added: AddedSet[];
  readonly tagOf: Tagger;
  readonly making: Making;
};

const namedSound = (items: readonly Item[], { kind, track, added, tagOf, making }: Place): Item[] | undefined => {
  const sound = making.changes.sounds?.find((each) => each.track === track);
  if (!sound) return undefined;
  const { sets, ids } = labelSets(sound, { tagOf, newId: making.newId });
  if (ids.length === 0) return undefined;
  added.push(...sets);
  const references = tagOf(explained.subDescriptors);
  const before = items.find(({ tag }) => tag === references)?.value;
  const all = [...(before ? [before.subarray(8)] : []), ...ids];
  const count = all.reduce((sum, each) => sum + each.length, 0) / 16;
  const changed = [
    { tag: references, value: joined([number32(count), number32(16), ...all]) },
    ...(waves.includes(kind) ? [{ tag: tagOf(explained.assignment), value: byLabels }] : []),
  ];
  return replaced(items, changed);
};

const litPicture = (items: readonly Item[], { display, light }: Light, tagOf: Tagger): Item[] => {
  const [greenX = 0, greenY = 0, blueX = 0, blueY = 0, redX = 0, redY = 0, x = 0, y = 0, most = 0, least = 0] =
    display ?? [];
  const [points, average] = light ?? [];
  const shorts = (...numbers: number[]) => joined(numbers.map(number16));
  return replaced(items, [
    ...(display
      ? [
          { tag: tagOf(explained.primaries), value: shorts(redX, redY, greenX, greenY, blueX, blueY) },
          { tag: tagOf(explained.white), value: shorts(x, y) },
          { tag: tagOf(explained.most), value: number32(most) },
          { tag: tagOf(explained.least), value: number32(least) },
        ]
      : []),
    ...(points === undefined ? [] : [{ tag: tagOf(explained.mostOfPoints), value: number16(points) }]),
    ...(average === undefined ? [] : [{ tag: tagOf(explained.mostOfPictures), value: number16(average) }]),
  ]);
};

const replaced = (items: readonly Item[], changed: readonly Item[]): Item[] => [
  ...items.filter(({ tag }) => !changed.some((each) => each.tag === tag)),
  ...changed,
];
