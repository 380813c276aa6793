import type { IncomingMessage } from "node:http";
import { piecesOf } from "../../outbound/body.ts";
import { createMarks } from "../listing-limits.ts";
import { rangeHeader, refuseOtherRange } from "../range-header.ts";
import type { ByteRange, Entry, FileStat } from "../storage.ts";
import { prefixOf, readAddress } from "./address.ts";
import type { Connected } from "./client.ts";
import { s3Error, statusOf } from "./errors.ts";

export const statObject = async (connected: Connected, uri: string): Promise<FileStat | undefined> => {
  const { client, sdk } = connected;
  const { bucket, key } = readAddress(uri);
  try {
    const head = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }));
    return statOf({ size: head.ContentLength, modified: head.LastModified, tag: head.ETag });
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw s3Error(statusOf(error) === 403 ? await refusalOf(connected, uri, error) : error, uri);
  }
};

/** The answer to HEAD has no body, so 403 does not say why; reading a byte does. */
const refusalOf = async ({ client, sdk }: Connected, uri: string, error: unknown): Promise<unknown> => {
  const { bucket, key } = readAddress(uri);
  const wish = new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range: "bytes=0-0" });
  return client.send(wish).then(
    () => error,
    (reason) => reason,
  );
};

type ResponseDetails = {
  readonly size?: number | undefined;
  readonly modified?: Date | undefined;
  readonly tag?: string | undefined;
};

const statOf = ({ size = 0, modified, tag }: ResponseDetails): FileStat => ({
  ...{ isFile: true, size, modified: modified?.getTime() ?? 0 },
  ...(tag !== undefined && { tag }),
});

export async function* readObject(
  { client, sdk }: Connected,
  uri: string,
  { from, length }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  const { bucket, key } = readAddress(uri);
  const Range = rangeHeader({ from, length });
  try {
    const answer = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range }), {
      abortSignal: signal,
    });
    // Under Node it is the response itself, which the client's type leaves open.
    const body = answer.Body as IncomingMessage;
    try {
      if (from > 0) refuseOtherRange(answer.ContentRange, from, uri);
      yield* piecesOf(body);
    } finally {
      body.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw s3Error(error, uri);
  }
}

/** Objects below a folder, up to the next slash, and its subfolders; with `isDeep` all objects at any depth. */
export async function* listObjects(connected: Connected, folder: string, isDeep = false): AsyncGenerator<Entry> {
  const { bucket, key } = readAddress(folder);
  const prefix = prefixOf(key);
  const marks = createMarks(folder);
  const where = { Bucket: bucket, Prefix: prefix, ...(!isDeep && { Delimiter: "/" }) };
  for (let token: string | undefined, isFirst = true; isFirst || token; isFirst = false) {
    const page = await listPage(connected, folder, { ...where, token });
    for (const { Prefix = "" } of page.CommonPrefixes ?? []) {
      yield { name: Prefix.slice(prefix.length, -1), isFile: false };
    }
    for (const { Key = "", Size: size, LastModified: modified, ETag: tag } of page.Contents ?? []) {
      const name = Key.slice(prefix.length);
      if (name !== "") yield { name, isFile: true, seen: statOf({ size, modified, tag }) }; // the folder's own mark
    }
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
    marks.refuseRepeated(token);
  }
}

type Page = {
  readonly Bucket: string;
  readonly Prefix: string;
  readonly Delimiter?: string;
  readonly token: string | undefined;
};

const listPage = async ({ client, sdk }: Connected, uri: string, { token, ...where }: Page) => {
  try {
    return await client.send(new sdk.ListObjectsV2Command({ ...where, ContinuationToken: token }));
  } catch (error) {
    throw s3Error(error, uri);
  }
};
