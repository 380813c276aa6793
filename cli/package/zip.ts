import { crc32, deflateRawSync } from "node:zlib";

type File = { readonly name: string; readonly bytes: Buffer };
type Stored = File & { readonly packed: Buffer; readonly sum: number };

/** The first day that a ZIP can name: the same files give the same bytes. */
const firstDay = 33;
const utf8Names = 0x0800;
const deflated = 8;
const version = 20;

/** A ZIP file of a few small files, in their order. */
export const zipOf = (files: readonly File[]): Buffer => {
  const stored = files.map((file): Stored => {
    return { ...file, packed: deflateRawSync(file.bytes, { level: 9 }), sum: crc32(file.bytes) };
  });
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of stored) {
    const entry = Buffer.concat([numbers([4, 0x04034b50], [2, version], ...headOf(file)), nameOf(file), file.packed]);
    directory.push(
      Buffer.concat([
        numbers([4, 0x02014b50], [2, (3 << 8) | version], [2, version], ...headOf(file)),
        numbers([2, 0], [2, 0], [2, 0], [4, (0o100644 << 16) >>> 0], [4, at]),
        nameOf(file),
      ]),
    );
    entries.push(entry);
    at += entry.length;
  }
  const list = Buffer.concat(directory);
  const count = stored.length;
  return Buffer.concat([
    ...entries,
    list,
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, list.length], [4, at], [2, 0]),
  ]);
};

const nameOf = ({ name }: File): Buffer => Buffer.from(name, "utf8");

/** What an entry and its line in the directory share: up to the lengths of name and extras. */
const headOf = (file: Stored): readonly (readonly [bytes: 2 | 4, value: number])[] => [
  ...([
    [2, utf8Names],
    [2, deflated],
    [2, 0],
    [2, firstDay],
    [4, file.sum],
  ] as const),
  ...([
    [4, file.packed.length],
    [4, file.bytes.length],
    [2, nameOf(file).length],
    [2, 0],
  ] as const),
];

const numbers = (...values: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
