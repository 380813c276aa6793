import type { Sniffed } from "./sniff.ts";

/** What was read of a file that a tool could not use. */
export type Examined = {
  readonly size: number;
  readonly sniffed: Sniffed["kind"];
  readonly head: Uint8Array;
  /** Whether samples of its middle and end hold nothing but zeros too. */
  readonly restIsZeros: boolean;
  /** The size that the file's own head promises, of formats that say so. */
  readonly promised?: number | undefined;
  /** The outer boxes of an MP4 or QuickTime file; empty for others. */
  readonly boxes: readonly { readonly type: string; readonly to: number }[];
  /** Its index says that its samples are encrypted. */
  readonly isEncrypted: boolean;
};

type Ailment = { readonly when: (file: Examined) => boolean; readonly says: (file: Examined) => string };

const isAt = ({ head }: Examined, text: string, at = 0): boolean =>
  latin1(head.subarray(at, at + text.length)) === text;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Files of other kinds that are given media's names, by their first bytes. */
const strangers: readonly (readonly [begin: string, what: string])[] = [
  ["PK\x03\x04", "a ZIP archive or an office document: name the media in it, once unpacked,"],
  ["Rar!", "a RAR archive: name the media in it, once unpacked,"],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive: name the media in it, once unpacked,"],
  ["\x1f\x8b", "compressed by gzip: name the media in it, once unpacked,"],
  ["%PDF", "a PDF document: name the media itself"],
  ["\x7fELF", "a program: name the media itself"],
  ["MZ", "a program: name the media itself"],
  ["SQLite format 3\0", "a database: name the media itself"],
  ["bplist", "a property list: name the media itself"],
];

const strangerOf = (file: Examined) => strangers.find(([begin]) => isAt(file, begin));

const index = ({ boxes }: Examined) => boxes.find(({ type }) => type === "moov" || type === "moof");
const end = ({ boxes }: Examined): number => boxes.at(-1)?.to ?? 0;
const of = (size: number, whole: number): string =>
  `${size.toLocaleString("en")} of ${whole.toLocaleString("en")} bytes are there`;

const again = "copy or export it again";

/** The first one that fits says what is wrong with the file, and what to do. */
const ailments: readonly Ailment[] = [
  { when: ({ size }) => size === 0, says: () => `is empty: ${again}` },
  {
    when: ({ head, restIsZeros }) => restIsZeros && head.every((byte) => byte === 0),
    says: () => `holds nothing but zeros: its bytes were never written, or its disk lost them; ${again}`,
  },
  {
    when: ({ head, sniffed }) => sniffed === "unknown" && head.subarray(0, 512).every((byte) => byte === 0),
    says: () => `begins with zeros: its beginning was never written, or its disk lost it; ${again}`,
  },
  {
    when: (file) => strangerOf(file) !== undefined,
    says: (file) => `is no media but ${strangerOf(file)?.[1]} as the source`,
  },
  {
    when: (file) => index(file) !== undefined && (index(file)?.to ?? 0) > file.size,
    says: (file) => `is cut off within its index: ${of(file.size, index(file)?.to ?? 0)}; ${again}`,
  },
  {
    when: (file) => file.boxes.length > 0 && !index(file) && end(file) > file.size,
    says: (file) =>
      `is cut off before its index, or still being written: ${of(file.size, end(file))}; ${again}, or wait for its end`,
  },
  {
    when: (file) => file.boxes.length > 0 && !index(file),
    says: () => "has no index: its recording was not ended; end it, or repair the file with the recorder's own program",
  },
  {
    when: ({ isEncrypted }) => isEncrypted,
    says: () => "is encrypted, and its key is not known here: name a source without encryption (DRM)",
  },
  {
    when: (file) => file.boxes.length > 0 && end(file) > file.size,
    says: (file) => `is cut off: ${of(file.size, end(file))}; ${again}`,
  },
  {
    when: ({ promised = 0, size }) => promised > size,
    says: ({ promised = 0, size }) => `is cut off: ${of(size, promised)}; ${again}`,
  },
  {
    when: ({ sniffed, boxes }) => sniffed === "unknown" && boxes.length === 0,
    says: () =>
      "is of no media format that is known here: if it plays elsewhere, convert it to MP4, MXF or Matroska there; else " +
      again,
  },
];

/** What is wrong with a file, as the end of a sentence that begins with its name; undefined if nothing shows. */
export const findDamage = (file: Examined): string | undefined => ailments.find(({ when }) => when(file))?.says(file);

/** The size that the head of a RIFF or Matroska file promises. */
export const promisedSize = (head: Uint8Array): number | undefined => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const begin = latin1(head.subarray(0, 4));
  if (begin === "RIFF" && head.length >= 8) return knownSize(view.getUint32(4, true), 2 ** 32 - 1, 8);
  return begin === "\x1a\x45\xdf\xa3" ? matroskaSize(view) : undefined;
};

const knownSize = (length: number, unknown: number, head: number): number | undefined =>
  length >= unknown || length === 0 ? undefined : length + head;

/** A Matroska file is an EBML head and a segment, each with its length. */
const matroskaSize = (view: DataView): number | undefined => {
  const head = lengthAt(view, 4);
  const segment = head && head.end + head.length;
  if (segment === undefined || view.byteLength < segment + 4 || view.getUint32(segment) !== 0x18538067)
    return undefined;
  const length = lengthAt(view, segment + 4);
  return length && knownSize(length.length, length.unknown, length.end);
};

/** EBML writes a length in as many bytes as the first one begins with zero bits; only ones mean that it is unknown. */
const lengthAt = (view: DataView, at: number) => {
  if (view.byteLength < at + 8) return undefined;
  const bytes = Math.clz32(view.getUint8(at)) - 23;
  if (bytes > 8) return undefined;
  let length = view.getUint8(at) & (0xff >> bytes);
  for (let index = 1; index < bytes; index++) length = length * 256 + view.getUint8(at + index);
  return { length, unknown: 2 ** (7 * bytes) - 1, end: at + bytes };
};

/** Pictures, by their first bytes. */
const pictures: readonly (readonly [begin: string, what: string])[] = [
  ["\x89PNG\r\n", "PNG"],
  ["\xff\xd8\xff", "JPEG"],
  ["II*\0", "TIFF"],
  ["MM\0*", "TIFF"],
  ["SDPX", "DPX"],
  ["XPDS", "DPX"],
  ["BM", "BMP"],
  ["v/1\x01", "OpenEXR"],
];

const filmName = /\.(?:3gp|asf|avi|flv|m2ts|m4v|mkv|mov|mp4|mpe?g|mts|mxf|ts|webm|wmv)$/i;

/** What is wrong with a picture that has a film's name; undefined for everything else. */
export const pictureAsFilm = (name: string, head: Uint8Array): string | undefined => {
  const what = filmName.test(name) && pictures.find(([begin]) => latin1(head.subarray(0, begin.length)) === begin)?.[1];
  return what
    ? `is a ${what} picture with the name of a film: name the film, or call the picture by its kind`
    : undefined;
};
