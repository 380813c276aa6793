import { bytesOf, isKey, lengthAt } from "./klv.ts";

/** A partition pack in the first bytes of a partition (SMPTE ST 377-1, 7.1). */
export type Partition = {
  /** Its bytes with its head, and where its value begins in them. */
  readonly bytes: Uint8Array;
  readonly value: number;
};

/** Offsets of fields in the value of a pack. */
const fields = { grid: 4, self: 8, previous: 16, footer: 24, headerBytes: 32 } as const;
const valueBytes = 88;
const keyBytes = 16;

const packKey = bytesOf("060e2b34.02050101.0d010201.01");
const indexKey = bytesOf("060e2b34.02050101.0d010201.01110100");

/** The pack that these bytes begin with. */
export const partitionIn = (bytes: Uint8Array): Partition | undefined => {
  if (!isKey(bytes, packKey)) return undefined;
  const { from, length } = lengthAt(bytes, keyBytes);
  if (length < valueBytes || from + length > bytes.length) return undefined;
  return { bytes: bytes.subarray(0, from + length), value: from };
};

const numberAt = ({ bytes, value }: Partition, field: number): number =>
  Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(value + field));

/** How long its metadata are, and the grid on which its parts lie. */
export const measuresOf = (partition: Partition): { readonly headerBytes: number; readonly grid: number } => {
  const { bytes, value } = partition;
  const grid = new DataView(bytes.buffer, bytes.byteOffset).getUint32(value + fields.grid);
  return { headerBytes: numberAt(partition, fields.headerBytes), grid: Math.max(1, grid) };
};

/** The bytes of the pack once all behind the first partition's metadata lies further on; `own` is how much those grow. */
export const movedPartition = (partition: Partition, by: number, own: number): Uint8Array => {
  const made = partition.bytes.slice();
  const view = new DataView(made.buffer);
  const add = (field: number, more: number) =>
    view.setBigUint64(partition.value + field, BigInt(numberAt(partition, field) + more));
  for (const field of [fields.self, fields.previous, fields.footer]) if (numberAt(partition, field) > 0) add(field, by);
  if (own !== 0) add(fields.headerBytes, own);
  return made;
};

/** The table of all partitions at the end of a file (ST 377-1, 12): where each begins, and where in the bytes that stands. */
export const partitionsIn = (index: Uint8Array): { readonly at: number; readonly offset: number }[] | undefined => {
  if (!isKey(index, indexKey)) return undefined;
  const { from, length } = lengthAt(index, keyBytes);
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const count = Math.floor((Math.min(length, index.length - from) - 4) / 12);
  return Array.from({ length: Math.max(0, count) }, (_, number) => {
    const at = from + number * 12 + 4;
    return { at, offset: Number(view.getBigUint64(at)) };
  });
};
