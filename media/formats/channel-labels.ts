import { speakerOfLabel } from "./channel-designators.ts";
import { boxesIn, textAt } from "./mp4/parts.ts";

/** Bytes of a sound's description before the boxes that follow, by its version (QuickTime File Format, Sound). */
export const soundBytes = [36, 52, 72];

const mostChannels = 64;

/**
 * The channels that the labels of a QuickTime sound track name, in their order, from its box `stsd` without its head:
 * `FL+FC+FR`. Where a label names no loudspeaker, they have no names: `6C`. Undefined where there are no labels.
 */
export const labelledLayout = (descriptions: Uint8Array): string | undefined => {
  const [entry] = boxesIn(descriptions, 8);
  if (!entry || entry.length < 36) return undefined;
  const view = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
  const found = boxesIn(entry, soundBytes[view.getUint16(16)] ?? entry.length).find((box) => textAt(box, 4) === "chan");
  if (!found || found.length < 24) return undefined;
  const box = new DataView(found.buffer, found.byteOffset, found.byteLength);
  const [tag, count] = [box.getUint32(12), box.getUint32(20)];
  if (tag !== 0 || count < 2 || count > mostChannels || found.length < 24 + count * 20) return undefined;
  const names = Array.from({ length: count }, (_, at) => speakerOfLabel(box.getUint32(24 + at * 20)));
  const isNamed = names.every((name) => name !== undefined) && new Set(names).size === count;
  return isNamed ? names.join("+") : `${count}C`;
};
