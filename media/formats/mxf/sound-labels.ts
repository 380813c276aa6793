import type { Designator } from "../channel-designators.ts";
import { joined } from "../joined-bytes.ts";
import { bytesOf, type Item, number32 } from "./klv.ts";

/** A channel's label of multi-channel audio (SMPTE ST 377-4): its symbol, its name, and its number in the register. */
type Label = { readonly symbol: string; readonly name: string; readonly number: Uint8Array };

/** Labels of ST 428-12 have a number of one byte, those of ST 2067-8 stand behind 0x20. */
const channel = (symbol: string, name: string, number: string): [string, Label] => [
  symbol,
  { symbol, name, number: bytesOf(`060e2b34.0401010d.030201${number.padEnd(10, "0")}`) },
];
const channels = new Map([
  channel("chL", "Left", "01"),
  channel("chR", "Right", "02"),
  channel("chC", "Center", "03"),
  channel("chLFE", "LFE", "04"),
  channel("chLs", "Left Surround", "05"),
  channel("chRs", "Right Surround", "06"),
  channel("chLss", "Left Side Surround", "07"),
  channel("chRss", "Right Side Surround", "08"),
  channel("chLrs", "Left Rear Surround", "09"),
  channel("chRrs", "Right Rear Surround", "0a"),
  channel("chLc", "Left Center", "0b"),
  channel("chRc", "Right Center", "0c"),
  channel("chCs", "Center Surround", "0d"),
  channel("chHI", "Hearing Impaired", "0e"),
  channel("chVIN", "Visually Impaired-Narrative", "0f"),
  channel("chM1", "Mono One", "2001"),
  channel("chLt", "Left Total", "2003"),
  channel("chRt", "Right Total", "2004"),
]);

const mostNumbered = 127;

/** The label of a channel in MXF; undefined where the standards have none for it. */
export const channelLabelOf = ({ symbol, label }: Designator): Label | undefined => {
  if (symbol !== undefined) return channels.get(symbol);
  const number = label - 65_536 + 1;
  if (number < 1 || number > mostNumbered) return undefined;
  const digits = String(number).padStart(3, "0");
  const code = `2008${number.toString(16).padStart(2, "0")}`;
  return channel(`chNSC${digits}`, `Numbered Source Channel ${digits}`, code)[1];
};

const group = (symbol: string, name: string, number: string, members: string) => ({
  ...{ symbol, name, number: bytesOf(`060e2b34.0401010d.030202${number.padEnd(10, "0")}`) },
  members: members
    .split(" ")
    .map((member) => `ch${member}`)
    .sort(),
});

/** Soundfields that are there whole. */
const groups = [
  group("sg51", "5.1", "01", "L R C LFE Ls Rs"),
  group("sg71", "7.1DS", "02", "L R C LFE Lss Rss Lrs Rrs"),
  group("sgSDS", "7.1SDS", "03", "L R C LFE Ls Rs Lc Rc"),
  group("sg61", "6.1", "04", "L R C LFE Lss Rss Cs"),
  group("sgM", "Monoaural", "05", "C"),
  group("sgST", "Standard Stereo", "2001", "L R"),
  group("sg30", "3.0", "2004", "L R C"),
  group("sg50", "5.0", "2006", "L R C Ls Rs"),
  group("sg70", "7.0DS", "2008", "L R C Lss Rss Lrs Rrs"),
  group("sgLtRt", "Lt-Rt", "2009", "Lt Rt"),
];

const numberedGroup = group("sgDNS", "Discrete Numbered Sources", "2003", "");

/** The tag of an item by what the primer pack explains it with. */
export type Tagger = (explanation: Uint8Array) => number;

/** A set of metadata to be added; the last byte but one of its key. */
export type AddedSet = { readonly kind: number; readonly items: readonly Item[] };

type Sound = { readonly channels: readonly Designator[]; readonly language?: string | undefined };
type Opening = { readonly tagOf: Tagger; readonly newId: () => Uint8Array };

const kinds = { channel: 0x6b, soundfield: 0x6c } as const;
const explained = {
  instance: bytesOf("060e2b34.01010101.01011502.00000000"),
  dictionary: bytesOf("060e2b34.0101010e.01030701.01000000"),
  symbol: bytesOf("060e2b34.0101010e.01030701.02000000"),
  name: bytesOf("060e2b34.0101010e.01030701.03000000"),
  link: bytesOf("060e2b34.0101010e.01030701.05000000"),
  soundfield: bytesOf("060e2b34.0101010e.01030701.06000000"),
  channel: bytesOf("060e2b34.0101010e.0103040a.00000000"),
  language: bytesOf("060e2b34.0101010d.03010102.03150000"),
} as const;

/** The sets that name the channels of a sound, and the ids by which its descriptor refers to them. */
export const labelSets = (
  { channels: named, language }: Sound,
  { tagOf, newId }: Opening,
): { readonly sets: AddedSet[]; readonly ids: Uint8Array[] } => {
  const labels = named.map(channelLabelOf);
  const symbols = labels.flatMap((each) => each?.symbol ?? []).sort();
  const isNumbered = symbols.length > 0 && symbols.every((symbol) => symbol.startsWith("chNSC"));
  const whole = groups.find(({ members }) => members.join(" ") === symbols.join(" "));
  const soundfield = isNumbered ? numberedGroup : whole;
  const link = newId();
  const described = ({ symbol, name, number }: Label, ownLink: Uint8Array): { id: Uint8Array; items: Item[] } => {
    const id = newId();
    const items = [
      { tag: tagOf(explained.instance), value: id },
      { tag: tagOf(explained.dictionary), value: number },
      { tag: tagOf(explained.link), value: ownLink },
      { tag: tagOf(explained.symbol), value: utf16(symbol) },
      { tag: tagOf(explained.name), value: utf16(name) },
      ...(language === undefined
        ? []
        : [{ tag: tagOf(explained.language), value: new TextEncoder().encode(language) }]),
    ];
    return { id, items };
  };
  const whose = soundfield && described(soundfield, link);
  const each = labels.flatMap((label, index) => {
    if (!label) return [];
    const { id, items } = described(label, newId());
    const place = { tag: tagOf(explained.channel), value: number32(index + 1) };
    const member = whose ? [{ tag: tagOf(explained.soundfield), value: link }] : [];
    return [{ id, set: { kind: kinds.channel, items: [...items, place, ...member] } }];
  });
  return {
    sets: [...(whose ? [{ kind: kinds.soundfield, items: whose.items }] : []), ...each.map(({ set }) => set)],
    ids: [...(whose ? [whose.id] : []), ...each.map(({ id }) => id)],
  };
};

const utf16 = (text: string): Uint8Array =>
  joined([...text].map((letter) => new Uint8Array([0, letter.charCodeAt(0)])));
