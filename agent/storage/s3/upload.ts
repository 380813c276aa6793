import { open } from "node:fs/promises";
import type { CompletedPart } from "@aws-sdk/client-s3";
import { TaskError } from "../../../shared/causes.ts";
import type { Clock } from "../../../shared/clock.ts";
import { type Patience, retry } from "../retry.ts";
import type { Sending } from "../storage.ts";
import { readAddress, uploadAddress } from "./address.ts";
import type { Connected } from "./client.ts";
import { nameOf, s3Error, statusOf, storingError } from "./errors.ts";
import { objectFields } from "./object-options.ts";

const smallestPart = 8 * 1024 * 1024;
const mostParts = 9000; // the service allows 10,000
const partsAtOnce = 3;

type Waiting = { readonly clock: Clock; readonly patience: Patience };

/** Uploads a file in parts, which stay invisible until the upload is completed; returns the upload's address. */
export const sendParts = async (connected: Connected, sending: Sending, waiting: Waiting): Promise<string> => {
  const { client, sdk } = connected;
  const { move, opened, object, signal } = sending;
  const { bucket, key } = readAddress(move.final);
  const wish = { Bucket: bucket, Key: key, ...objectFields(object) };
  const created = await retry({
    ...{ ...waiting, signal },
    act: () => stored(move.final, () => client.send(new sdk.CreateMultipartUploadCommand(wish))),
  });
  if (created.UploadId === undefined) throw new TaskError("storage", `${move.final}: the service opened no upload`);
  const address = uploadAddress(move.final, created.UploadId);
  await opened(address);
  await sendAll(connected, address, sending, waiting);
  return address;
};

const sendAll = async (
  { client, sdk }: Connected,
  address: string,
  { path, move, signal, pace, onBytes, onBreak }: Sending,
  waiting: Waiting,
): Promise<void> => {
  const { bucket, key, upload } = readAddress(address);
  const partSize = Math.max(smallestPart, Math.ceil(move.size / mostParts));
  const count = Math.max(1, Math.ceil(move.size / partSize));
  await using file = await open(path, "r");
  let next = 1;
  let sent = 0;
  const sendNext = async (): Promise<void> => {
    const memory = Buffer.allocUnsafeSlow(Math.min(partSize, Math.max(1, move.size)));
    for (let number = next++; number <= count; number = next++) {
      signal.throwIfAborted();
      const size = Math.min(partSize, move.size - (number - 1) * partSize);
      const Body = memory.subarray(0, size);
      await readExactly(file, (number - 1) * partSize, Body);
      // A part is sent at once, but not before its time: the whole keeps to the limit.
      for (let left = size; left > 0; left -= pace.most) await pace.take(Math.min(left, pace.most));
      const where = { Bucket: bucket, Key: key, UploadId: upload, PartNumber: number };
      const send = () =>
        client.send(new sdk.UploadPartCommand({ ...where, Body, ContentLength: size }), { abortSignal: signal });
      await retry({
        ...{ ...waiting, signal },
        act: () => stored(move.final, send),
        onBreak: () => onBreak(`${move.final}: part ${number} of ${count} broke off and is sent again`),
      });
      sent += size;
      onBytes(sent);
    }
  };
  await Promise.all(Array.from({ length: Math.min(partsAtOnce, count) }, sendNext));
};

type ReadableFile = Awaited<ReturnType<typeof open>>;

const readExactly = async (file: ReadableFile, from: number, memory: Buffer): Promise<void> => {
  for (let done = 0; done < memory.length; ) {
    const { bytesRead } = await file.read(memory, done, memory.length - done, from + done);
    if (bytesRead === 0) throw new TaskError("machine", "An output file became shorter while it was sent");
    done += bytesRead;
  }
};

/** The parts waiting under an address; undefined if the upload is over. */
const partsOf = async ({ client, sdk }: Connected, address: string) => {
  const { bucket, key, upload } = readAddress(address);
  const parts: { readonly part: CompletedPart; readonly size: number }[] = [];
  try {
    for (let marker: string | undefined, isFirst = true; isFirst || marker; isFirst = false) {
      const where = { Bucket: bucket, Key: key, UploadId: upload, PartNumberMarker: marker };
      const page = await client.send(new sdk.ListPartsCommand(where));
      for (const { PartNumber, ETag, Size = 0 } of page.Parts ?? []) {
        parts.push({ part: { PartNumber, ETag }, size: Size });
      }
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    }
    return parts;
  } catch (error) {
    if (isOver(error)) return undefined;
    throw s3Error(error, address);
  }
};

/** Whether all bytes of a file are waiting there. */
export const waitsWhole = async (connected: Connected, address: string, size: number): Promise<boolean> => {
  const parts = await partsOf(connected, address);
  return parts !== undefined && parts.length > 0 && parts.reduce((sum, part) => sum + part.size, 0) === size;
};

/** Publishes a waiting upload; with `onlyIfFree`, returns "taken" if the name is in use. */
export const completeUpload = async (
  connected: Connected,
  address: string,
  onlyIfFree: boolean,
): Promise<"created" | "taken"> => {
  const { client, sdk } = connected;
  const { bucket, key, upload } = readAddress(address);
  const parts = (await partsOf(connected, address)) ?? [];
  const where = { Bucket: bucket, Key: key, UploadId: upload };
  const MultipartUpload = { Parts: parts.map(({ part }) => part) };
  const condition = onlyIfFree ? { IfNoneMatch: "*" } : {};
  try {
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...where, MultipartUpload, ...condition }));
    return "created";
  } catch (error) {
    if (onlyIfFree && (statusOf(error) === 412 || nameOf(error) === "PreconditionFailed")) return "taken";
    throw s3Error(error, address);
  }
};

/** Aborts a waiting upload; one that is over is ignored. */
export const abortUpload = async ({ client, sdk }: Connected, address: string): Promise<void> => {
  const { bucket, key, upload } = readAddress(address);
  try {
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: upload }));
  } catch (error) {
    if (!isOver(error)) throw s3Error(error, address);
  }
};

const isOver = (error: unknown): boolean => nameOf(error) === "NoSuchUpload" || statusOf(error) === 404;

const stored = async <T>(uri: string, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    throw storingError(error, uri);
  }
};
