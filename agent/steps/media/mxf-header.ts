import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { changedHeader } from "../../../media/formats/mxf/header.ts";
import {
  measuresOf,
  movedPartition,
  type Partition,
  partitionIn,
  partitionsIn,
} from "../../../media/formats/mxf/partitions.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";
import { moveBytes } from "./mp4-boxes.ts";

/** A pack names the kinds of its streams. */
const packBytes = 4096;
const mostHeader = 16 * 1024 * 1024;
const mostPartitions = 1024 * 1024;

/** Changes the file in place: where its header grows, all behind it is moved first, from the end. */
export const performMxfHeader: Performer<"mxf_header"> = async ({ of, changes }, context) => {
  const { made: path, output } = outputNamed(of, context);
  const refuse = (what: string) => new TaskError("media", `${output.name} has no ${what} that could be changed`);
  await using file = await open(path, "r+");
  const { size } = await file.stat();
  const first = partitionIn(await bytesAt(file, 0, packBytes));
  const index = await indexOf(file, size);
  if (!first || !index) throw refuse(first ? "index of its partitions" : "partition in front");
  const { headerBytes, grid } = measuresOf(first);
  const from = Math.ceil(first.bytes.length / grid) * grid;
  if (headerBytes === 0 || headerBytes > mostHeader) throw refuse("header");
  const before = await bytesAt(file, from, headerBytes);
  const header = changedHeader(before, grid, { changes, newId: createIds(before) });
  const by = header.length - headerBytes;
  if (by > 0) await moveBytes(file, [from + headerBytes, size, by], context.signal);
  await file.write(header, 0, header.length, from);
  if (by > 0) await correct(file, { first, by, index: { at: index.at + by, bytes: index.bytes } });
  context.log.line(`changed the header of ${output.name}`);
};

/** Identifiers that follow from the header, which has the file's own one: the same file always gets the same. */
const createIds = (header: Uint8Array): (() => Uint8Array) => {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(header).update(`${count}`).digest().subarray(0, 16);
  };
};

type Index = { readonly at: number; readonly bytes: Uint8Array };

const bytesAt = async (file: FileHandle, from: number, length: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, from);
  return bytes.subarray(0, bytesRead);
};

/** The last four bytes of a file say how long the table of its partitions is. */
const indexOf = async (file: FileHandle, size: number): Promise<Index | undefined> => {
  const end = await bytesAt(file, size - 4, 4);
  const length = new DataView(end.buffer, end.byteOffset).getUint32(0);
  if (length < 20 || length > Math.min(size, mostPartitions)) return undefined;
  const bytes = await bytesAt(file, size - length, length);
  return partitionsIn(bytes) ? { at: size - length, bytes } : undefined;
};

/** Every partition says where it lies, where the one before it, and where the last. */
const correct = async (
  file: FileHandle,
  { first, by, index }: { readonly first: Partition; readonly by: number; readonly index: Index },
): Promise<void> => {
  const made = index.bytes.slice();
  const view = new DataView(made.buffer);
  for (const { at, offset } of partitionsIn(index.bytes) ?? []) {
    if (offset === 0) continue;
    view.setBigUint64(at, BigInt(offset + by));
    const partition = partitionIn(await bytesAt(file, offset + by, packBytes));
    if (!partition) continue;
    const pack = movedPartition(partition, by, 0);
    await file.write(pack, 0, pack.length, offset + by);
  }
  await file.write(made, 0, made.length, index.at);
  const pack = movedPartition(first, by, by);
  await file.write(pack, 0, pack.length, 0);
};
