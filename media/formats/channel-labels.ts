import { speakerOfLabel } from "./channel-designators.ts";
import { boxesIn, textAt } from "./mp4/parts.ts";

/** Bytes of a sound's description before the boxes that follow, by its version (QuickTime File Format, Sound). */
export const soundBytes = [36, 52, 72];

const mostChannels = 64;

/**
 * The channels that the labels or the layout tag of a QuickTime sound track name, in their order, from its box `stsd`
 * without its head: `FL+FC+FR`. Where a label names no loudspeaker, they have no names: `6C`. Undefined where there are
 * neither labels nor a tag that says more than ffprobe does.
 */
export const labelledLayout = (descriptions: Uint8Array): string | undefined => {
  const [entry] = boxesIn(descriptions, 8);
  if (!entry || entry.length < 36) return undefined;
  const view = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
  const found = boxesIn(entry, soundBytes[view.getUint16(16)] ?? entry.length).find((box) => textAt(box, 4) === "chan");
  if (!found || found.length < 16) return undefined;
  const box = new DataView(found.buffer, found.byteOffset, found.byteLength);
  const tag = box.getUint32(12);
  if (tag !== 0) return layoutOfTag(tag);
  const count = found.length < 24 ? 0 : box.getUint32(20);
  if (count < 2 || count > mostChannels || found.length < 24 + count * 20) return undefined;
  const names = Array.from({ length: count }, (_, at) => speakerOfLabel(box.getUint32(24 + at * 20)));
  const isNamed = names.every((name) => name !== undefined) && new Set(names).size === count;
  return isNamed ? names.join("+") : `${count}C`;
};

/** Orders of the layout tags of Core Audio (`AudioChannelLayoutTag`) that are not the order of ffmpeg's layouts. */
const tagged: Readonly<Record<number, string>> = {
  ...{ 109: "FL+FR+BL+BR+FC", 110: "FL+FR+BL+BR+FC+BC", 114: "FC+FL+FR", 116: "FC+FL+FR+BC" },
  ...{ 118: "FL+FR+BL+BR+FC", 119: "FL+FC+FR+BL+BR", 120: "FC+FL+FR+BL+BR" },
  ...{ 122: "FL+FR+BL+BR+FC+LFE", 123: "FL+FC+FR+BL+BR+LFE", 124: "FC+FL+FR+BL+BR+LFE" },
  ...{ 127: "FC+FLC+FRC+FL+FR+BL+BR+LFE", 129: "FL+FR+BL+BR+FC+LFE+FLC+FRC" },
  ...{ 138: "FL+FR+BL+BR+LFE", 139: "FL+FR+BL+BR+FC+BC", 141: "FC+FL+FR+BL+BR+BC", 142: "FC+FL+FR+BL+BR+BC+LFE" },
  ...{ 150: "FL+FC+FR", 151: "FL+FC+FR+BC", 152: "FL+FC+FR+LFE", 153: "FL+FR+BC+LFE", 154: "FL+FC+FR+BC+LFE" },
  // Written for channels in the order of ffmpeg's layouts by its versions up to 5, which later versions read otherwise.
  ...{ 125: "FL+FR+FC+LFE+BC+SL+SR", 128: "FL+FR+FC+LFE+BL+BR+SL+SR" },
};

const layoutOfTag = (tag: number): string | undefined => {
  const layout = tagged[tag >>> 16];
  return layout?.split("+").length === (tag & 0xffff) ? layout : undefined;
};
