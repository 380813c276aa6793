import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AssetFile } from "../../../shared/model/asset.ts";

type Range = { readonly start: number; readonly end: number };

export type SentFile = {
  readonly file: Pick<AssetFile, "checksum" | "modified">;
  readonly size: number;
  /** The bytes of a range, both ends included. */
  readonly read: (range: Range) => Readable;
};

/**
 * Answers with a file, or with the range of it that was asked. Whoever asks for the rest of a file by `If-Range` gets it
 * whole if it is another one by now.
 */
export const sendRange = (request: FastifyRequest, reply: FastifyReply, { file, size, read }: SentFile) => {
  const tag = tagOf(file, size);
  reply.headers({ "accept-ranges": "bytes", etag: tag, ...digestOf(file) });
  const { range: asked, "if-range": only, "if-none-match": known } = request.headers;
  if (known === tag) return reply.code(304).send();
  const range = only === undefined || only === tag ? parseRange(asked, size) : "none";
  if (range === "outside") return reply.code(416).header("content-range", `bytes */${size}`).send();
  const { start, end } = range === "none" ? { start: 0, end: size - 1 } : range;
  if (range !== "none") reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
  reply.header("content-length", end - start + 1);
  // The framework would read a whole file to its end for the sake of its length.
  if (request.method === "HEAD" || size === 0) return reply.send(Readable.from([]));
  return reply.send(read({ start, end }));
};

/** It names these bytes: a file that was made again has another one. */
const tagOf = ({ checksum, modified }: SentFile["file"], size: number): string =>
  `"${checksum === undefined ? `${size}-${modified ?? 0}` : hexOf(checksum)}"`;

/** As in RFC 9530: of the whole file, also beside a range. */
const digestOf = ({ checksum }: SentFile["file"]): Readonly<Record<string, string>> =>
  checksum === undefined
    ? {}
    : { "repr-digest": `sha-256=:${Buffer.from(hexOf(checksum), "hex").toString("base64")}:` };

const hexOf = (checksum: string): string => checksum.slice(checksum.indexOf(":") + 1);

/** One range of bytes; a request for several gets the whole file, which HTTP allows. */
export const parseRange = (header: string | undefined, size: number): "none" | "outside" | Range => {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!found) return "none";
  const [, from = "", to = ""] = found;
  if (from === "" && to === "") return "none";
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? "outside" : { start, end };
};
