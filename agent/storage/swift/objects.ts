import { z } from "zod";
import { bodyOf, seenBy } from "../http/reading.ts";
import { drain, textOf } from "../http/request.ts";
import { expectStatus, statusError } from "../http/status.ts";
import { createMarks } from "../listing-limits.ts";
import { rangeHeader } from "../range-header.ts";
import type { ByteRange, Entry, FileStat } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { readAddress, type Session } from "./session.ts";

export const statObject = async (session: Session, uri: string): Promise<FileStat | undefined> => {
  const answer = await session.ask({ method: "HEAD", uri });
  await drain(answer);
  if (answer.status === 404) return undefined;
  const { headers } = await expectStatus(answer, 200, 204);
  return seenBy(headers, Number(headers["content-length"] ?? 0));
};

export async function* readObject(
  session: Session,
  uri: string,
  { from, length }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  const range = rangeHeader({ from, length });
  const answer = await session.ask({ method: "GET", uri, ...(range && { headers: { range } }), signal });
  yield* bodyOf(await expectStatus(answer, range ? 206 : 200), { from, length }, signal);
}

const page = z.array(
  z.union([
    z.object({ subdir: z.string() }),
    z.object({ name: z.string(), bytes: z.number(), last_modified: z.string(), hash: z.string().optional() }),
  ]),
);

const pageSize = 1000;
/** A page of the longest names that there are. */
const mostPageBytes = 8 * 1024 * 1024;

/** Objects below a folder, up to the next slash, and its subfolders; with `isDeep` all objects at any depth. */
export async function* listObjects(session: Session, folder: string, isDeep = false): AsyncGenerator<Entry> {
  const { object } = readAddress(folder);
  const prefix = object === "" ? "" : `${object.replace(/\/+$/, "")}/`;
  const container = folder.slice(0, folder.length - object.length).replace(/\/+$/, "");
  const common = { format: "json", prefix, limit: String(pageSize), ...(!isDeep && { delimiter: "/" }) };
  const marks = createMarks(folder);
  for (let marker = ""; ; ) {
    const answer = await session.ask({ method: "GET", uri: container, query: { ...common, marker } });
    if (answer.status === 404) return drain(answer);
    const found = page.parse(JSON.parse((await textOf(await expectStatus(answer, 200, 204), mostPageBytes)) || "[]"));
    for (const each of found) yield entryOf(each, prefix);
    const last = found.at(-1);
    if (!last || found.length < pageSize) return;
    marker = "subdir" in last ? last.subdir : last.name;
    marks.refuseRepeated(marker);
  }
}

const entryOf = (each: z.output<typeof page>[number], prefix: string): Entry => {
  if ("subdir" in each) return { name: each.subdir.slice(prefix.length, -1), isFile: false };
  // Of a single object the service says the next full second.
  const modified = Math.ceil((Date.parse(`${each.last_modified}Z`) || 0) / 1000) * 1000;
  const seen = { isFile: true, size: each.bytes, modified, ...(each.hash && { tag: each.hash }) };
  return { name: each.name.slice(prefix.length), isFile: true, seen };
};

/** A missing one is fine. */
export const removeObject = async (session: Session, uri: string): Promise<void> => {
  const answer = await session.ask({ method: "DELETE", uri });
  await drain(answer);
  if (![200, 204, 404].includes(answer.status)) throw statusError(answer, uri);
};

/** A copy made by the service itself, replacing any object of that name. */
export const copyObject = async (session: Session, from: string, to: string): Promise<void> => {
  const source = readAddress(from);
  const path = [source.container, ...source.object.split("/")].map(encodeURIComponent).join("/");
  const headers = { "x-copy-from": path, "content-length": "0" };
  const answer = await session.ask({ method: "PUT", uri: to, headers });
  await drain(answer);
  if (answer.status === 404) throw new StorageError("storage", `${from} is gone`);
  await expectStatus(answer, 201);
};
