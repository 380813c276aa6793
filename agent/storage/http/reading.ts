import { piecesOf } from "../../outbound/body.ts";
import { rangeHeader, refuseOtherRange } from "../range-header.ts";
import type { ByteRange, FileStat } from "../storage.ts";
import { connectionError, StorageError } from "../storage-error.ts";
import { type Answer, drain, type Request } from "./request.ts";
import { expectStatus } from "./status.ts";

/** The properties of a file, from its headers only. */
export const statUrl = async (request: Request, uri: string): Promise<FileStat | undefined> => {
  const answer = await request({ method: "HEAD", uri });
  await drain(answer);
  if (answer.status === 405 || answer.status === 501) return statByReading(request, uri);
  if (answer.status === 404 || answer.status === 410) return undefined;
  if (isRedirect(answer)) return { isFile: false, size: 0, modified: 0 };
  const { headers } = await expectStatus(answer, 200, 204);
  if (headers["content-length"] === undefined) return statByReading(request, uri);
  return seenBy(headers, Number(headers["content-length"]));
};

const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400;

/** For servers that do not answer HEAD, as many servers with signed addresses. */
const statByReading = async (request: Request, uri: string): Promise<FileStat | undefined> => {
  const answer = await request({ method: "GET", uri, headers: { range: "bytes=0-0" } });
  answer.body.destroy();
  if (answer.status === 404 || answer.status === 410) return undefined;
  const { headers } = await expectStatus(answer, 200, 206, 416);
  const total = /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1] ?? headers["content-length"];
  if (total !== undefined) return seenBy(headers, Number(total));
  throw new StorageError("storage", `${uri}: the server does not say how large the file is`);
};

/** The properties that a response's headers report. */
export const seenBy = (headers: Answer["headers"], size: number): FileStat => ({
  ...{ isFile: true, size, modified: Date.parse(headers["last-modified"] ?? "") || 0 },
  ...(headers.etag !== undefined && { tag: headers.etag }),
});

/** The bytes of a range as a stream. */
export async function* readFrom(
  request: Request,
  uri: string,
  { from, length }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  const range = rangeHeader({ from, length });
  const headers = { ...(range && { range }), "accept-encoding": "identity" };
  const answer = await request({ method: "GET", uri, headers, signal });
  if (isRedirect(answer)) throw new StorageError("source", `${uri} is a folder, not a file`);
  await expectStatus(answer, 200, 206);
  if (from > 0 && answer.status !== 206) {
    answer.body.destroy();
    throw new StorageError("storage", `${uri}: the server cannot resume in the middle of a file`);
  }
  yield* bodyOf(answer, { from, length }, signal);
}

/** The bytes of an answer that are in the range, until the signal aborts. */
export async function* bodyOf(
  answer: Answer,
  { from, length = Number.POSITIVE_INFINITY }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { status, headers, body, uri } = answer;
  let left = length;
  try {
    if (status === 206) refuseOtherRange(headers["content-range"], from, uri);
    for await (const part of piecesOf(body)) {
      yield part.length > left ? part.subarray(0, left) : part;
      left -= part.length;
      if (left <= 0) return; // a server without ranges sends everything
    }
  } catch (error) {
    signal.throwIfAborted();
    throw connectionError(error, uri);
  } finally {
    body.destroy();
  }
}
