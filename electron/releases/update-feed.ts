import { verify } from "node:crypto";
import { z } from "zod";
import { AppError, messageOf } from "../../shared/basics/errors.ts";

/** What a studio signs for each version: its files by name, with their hashes. */
const release = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  files: z
    .array(z.strictObject({ name: z.string().min(1).max(200), sha512: z.string().min(1).max(200) }))
    .min(1)
    .max(50),
});
export type Release = z.output<typeof release>;

const manifestName = "mediafarm-update.json";
const mostBytes = 100_000;

type FeedNeeds = {
  readonly feed: string;
  /** The studio's public key, PEM; it comes with the installed app, never from the feed. */
  readonly publicKey: string;
  readonly fetch: typeof fetch;
};

/**
 * Reads a feed's signed manifest. The server that hosts the feed is not trusted: anything that the
 * studio's key has not signed is refused with a message.
 */
export const readFeed = async ({ feed, publicKey, fetch: send }: FeedNeeds): Promise<Release> => {
  const base = feed.endsWith("/") ? feed : `${feed}/`;
  const manifest = await fetchBytes(send, new URL(manifestName, base));
  const signature = Buffer.from(
    (await fetchBytes(send, new URL(`${manifestName}.sig`, base))).toString("ascii"),
    "base64",
  );
  if (!isSigned(manifest, signature, publicKey)) {
    throw new AppError(
      "NOT_ALLOWED",
      `The update feed ${feed} is not signed by the key of this app. Nothing was downloaded`,
    );
  }
  const parsed = release.safeParse(parseJson(manifest));
  if (parsed.success) return parsed.data;
  throw new AppError("VALIDATION_FAILED", `The update feed ${feed} has no readable ${manifestName}`);
};

/** An unreadable key verifies nothing. */
const isSigned = (data: Buffer, signature: Buffer, publicKey: string): boolean => {
  try {
    return verify(null, data, publicKey, signature);
  } catch {
    return false;
  }
};

const fetchBytes = async (send: typeof fetch, url: URL): Promise<Buffer> => {
  try {
    const response = await send(url, { signal: AbortSignal.timeout(30_000), redirect: "error" });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return await bytesOf(response);
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `Could not read ${url}: ${messageOf(cause)}`, { cause });
  }
};

const bytesOf = async ({ body }: Response): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > mostBytes) throw new Error(`it is larger than ${mostBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined; // refused by the schema
  }
};

/** Whether a version is newer than another, both as 1.2.3. */
export const isNewer = (version: string, than: string): boolean => {
  const [one, other] = [version, than].map((text) => text.split(".").map(Number));
  for (const [at, part] of (one ?? []).entries()) {
    const difference = part - (other?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
};
