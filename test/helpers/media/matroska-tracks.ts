/** What an element of EBML says of itself (RFC 8794): its payload is between the two offsets. */
type Element = { readonly id: number; readonly from: number; readonly to: number };

/** Elements that hold others, and what a track says, by their ids (RFC 9559, 5.1). */
const segment = 0x18538067;
const tracks = 0x1654ae6b;
const entry = 0xae;
const flags = { isDefault: [0x88, 1], isForced: [0x55aa, 0], isCommentary: [0x55af, 0] } as const;
const original = 0x55ae;

const widthOf = (first: number): number => Math.clz32(first) - 23;

const elementsIn = (bytes: Buffer, from: number, to: number): Element[] => {
  const found: Element[] = [];
  for (let at = from; at + 2 <= to; ) {
    const idWidth = widthOf(bytes[at] ?? 0);
    const sizeAt = at + idWidth;
    const sizeWidth = widthOf(bytes[sizeAt] ?? 0);
    if (idWidth > 4 || sizeWidth > 8 || sizeAt + sizeWidth > to) break;
    const digits = [...bytes.subarray(sizeAt, sizeAt + sizeWidth)];
    const size = digits.reduce((sum, digit, nr) => sum * 256 + (nr === 0 ? digit & (0xff >> sizeWidth) : digit), 0);
    const begin = sizeAt + sizeWidth;
    // A stream that is still written has no size.
    const end = Math.min(to, begin + size);
    found.push({ id: bytes.readUIntBE(at, idWidth), from: begin, to: end });
    at = end;
  }
  return found;
};

const numberIn = (bytes: Buffer, found: Element | undefined): number | undefined =>
  found && [...bytes.subarray(found.from, found.to)].reduce((sum, digit) => sum * 256 + digit, 0);

export type MatroskaTrack = {
  readonly isDefault: boolean;
  readonly isForced: boolean;
  readonly isCommentary: boolean;
  /** Undefined where the file does not say. */
  readonly isOriginal: boolean | undefined;
};

/** The flags of every track of a Matroska or WebM file; a flag that is missing has the value that the standard gives it. */
export const matroskaTracks = (bytes: Buffer): MatroskaTrack[] => {
  const inside = (id: number, { from, to }: Pick<Element, "from" | "to">) =>
    elementsIn(bytes, from, to).filter((each) => each.id === id);
  const all = { from: 0, to: bytes.length };
  const entries = inside(segment, all).flatMap((one) => inside(tracks, one).flatMap((list) => inside(entry, list)));
  return entries.map((track) => {
    const flag = (id: number) => numberIn(bytes, inside(id, track)[0]);
    const is = ([id, usual]: readonly [number, number]) => (flag(id) ?? usual) === 1;
    const told = flag(original);
    return {
      ...{ isDefault: is(flags.isDefault), isForced: is(flags.isForced), isCommentary: is(flags.isCommentary) },
      isOriginal: told === undefined ? undefined : told === 1,
    };
  });
};
