import { createHash } from "node:crypto";
import type { CompletedPart } from "@aws-sdk/client-s3";
import type { Clock } from "../../../shared/basics/clock.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { mapInParallel } from "../../disk/parallel.ts";
import { unpaced } from "../byte-throttle.ts";
import type { Writing } from "../hidden-names.ts";
import { type PacedFile, pipedFile, sendFile } from "../paced-file.ts";
import { type Patience, retry } from "../retry.ts";
import type { Sending } from "../storage.ts";
import { readAddress, uploadAddress } from "./address.ts";
import type { Connected } from "./client.ts";
import { nameOf, s3Error, statusOf, storingError } from "./errors.ts";
import { objectFields } from "./object-options.ts";

/** Each part is a request and a flush of the service's, so parts are large; memory holds only pieces of them. */
const smallestPart = 64 * 1024 * 1024;
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

const sendAll = async (connected: Connected, address: string, sending: Sending, waiting: Waiting): Promise<void> => {
  const { path, move, pace, signal, onBreak } = sending;
  const partSize = Math.max(smallestPart, Math.ceil(move.size / mostParts));
  const count = Math.max(1, Math.ceil(move.size / partSize));
  const onPart = createTally(sending.onBytes);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const sendOne = async (index: number): Promise<void> => {
    const from = index * partSize;
    const length = Math.min(partSize, move.size - from);
    const file = { path, from, length, pace, onBytes: (sent: number) => onPart(index, sent) };
    await retry({
      ...{ ...waiting, signal: either },
      act: () => stored(move.final, () => sendPart(connected, address, index + 1, { file, signal: either })),
      onBreak: () => onBreak(`${move.final}: part ${index + 1} of ${count} broke off and is sent again`),
    });
  };
  const indexes = Array.from({ length: count }, (_, index) => index);
  await mapInParallel(indexes, partsAtOnce, (index) =>
    sendOne(index).catch((error) => {
      stop.abort(error); // the other parts are of no use without it
      throw error;
    }),
  );
};

/** Adds up what was sent of parts: one that broke off is counted anew. */
const createTally = (onBytes: (sent: number) => void) => {
  const parts: number[] = [];
  let sum = 0;
  return (index: number, sent: number): void => {
    sum += sent - (parts[index] ?? 0);
    parts[index] = sent;
    onBytes(sum);
  };
};

const sendPart = async (
  { client, sdk, signsPayload }: Connected,
  address: string,
  number: number,
  { file, signal }: Writing,
): Promise<void> => {
  const { bucket, key, upload } = readAddress(address);
  const payload = signsPayload ? await sha256Of(file) : "UNSIGNED-PAYLOAD";
  signal.throwIfAborted();
  const part = new sdk.UploadPartCommand({
    ...{ Bucket: bucket, Key: key, UploadId: upload, PartNumber: number },
    ...{ Body: pipedFile(file), ContentLength: file.length },
  });
  // The client signs the hash in this header if it is there.
  const sign = (request: unknown) =>
    Object.assign((request as HttpRequest).headers, { "x-amz-content-sha256": payload });
  part.middlewareStack.add(
    (next) => (args) => {
      sign(args.request);
      return next(args);
    },
    { step: "build" },
  );
  await client.send(part, { abortSignal: signal });
};

/** What the client builds by this step; its type leaves open which protocol it is of. */
type HttpRequest = { readonly headers: Record<string, string> };

/** Hashed while the parts before are sent. */
const sha256Of = async (file: PacedFile): Promise<string> => {
  const hash = createHash("sha256");
  await sendFile({ ...file, pace: unpaced, onBytes: () => undefined }, async (bytes) => void hash.update(bytes));
  return hash.digest("hex");
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
