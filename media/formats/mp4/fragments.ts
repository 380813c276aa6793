/** Fields of the boxes that describe fragments (ISO/IEC 14496-12, 8.8). A box that breaks off says nothing. */

/** Ticks that a sample lasts where its fragment does not say: of a `trex` box. */
export const trackDefaults = (box: DataView | undefined): number | undefined =>
  box && box.byteLength >= 16 ? box.getUint32(12) : undefined;

const flagsOf = (box: DataView): number => box.getUint32(0) & 0xff_ffff;

/** The same for the samples of a fragment: of a `tfhd` box, where it says so. */
export const fragmentDefaults = (box: DataView | undefined): number | undefined => {
  if (!box || box.byteLength < 8) return undefined;
  const flags = flagsOf(box);
  if (!(flags & 0x8)) return undefined;
  const at = 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
  return box.byteLength >= at + 4 ? box.getUint32(at) : undefined;
};

/** When a fragment begins: of a `tfdt` box. */
export const startOfFragment = (box: DataView | undefined): number | undefined => {
  if (!box || box.byteLength < 8) return undefined;
  if (box.getUint8(0) === 0) return box.getUint32(4);
  return box.byteLength >= 12 ? Number(box.getBigUint64(4)) : undefined;
};

/** What the samples of a `trun` box last in all. */
export const durationOfRun = (box: DataView | undefined, usual: number): number => {
  if (!box || box.byteLength < 8) return 0;
  const flags = flagsOf(box);
  const count = box.getUint32(4);
  if (!(flags & 0x100)) return count * usual;
  const first = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const size = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  const told = Math.min(count, Math.floor((box.byteLength - first) / size));
  return Array.from({ length: Math.max(0, told) }, (_, sample) => box.getUint32(first + sample * size)).reduce(
    (sum, each) => sum + each,
    0,
  );
};
