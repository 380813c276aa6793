import { createHmac } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { AssetFile } from "../../shared/asset.ts";
import { AppError } from "../../shared/errors.ts";
import { mediaKindOf } from "../../shared/media-kinds.ts";
import { uiBase } from "../../shared/ui-api.ts";
import { isSameText, newSecret } from "../secrets.ts";
import type { Farm } from "../work/farm.ts";
import { filesOfTask, localPath } from "../work/media-files.ts";

/** A link opens the files of one task for so long. */
const linkMs = 3_600_000;

export type MediaLinks = ReturnType<typeof createMediaLinks>;

/** Addresses that let a player read what one task made. They are signed and end by themselves, and with the coordinator. */
export const createMediaLinks = (farm: Farm) => {
  const key = newSecret();
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("base64url");
  return {
    /** Below /ui/v1. Throws AppError where the file cannot be read here. */
    link: async (taskId: number, position: number) => {
      const files = await filesOfTask(farm, taskId);
      const file = files[position];
      if (!file) throw new AppError("NOT_FOUND", `Task ${taskId} made no file ${position}`);
      await localPath(farm, file);
      const until = farm.clock.now() + linkMs;
      const head = `${taskId}.${until}`;
      const name = file.uri.slice(baseOf(files).length);
      return {
        path: `/media/${head}.${sign(head)}/${name.split("/").map(encodeURIComponent).join("/")}`,
        expires: new Date(until).toISOString(),
        ...mediaKindOf(file.uri),
      };
    },
    /** The file that an address names. */
    open: async (token: string, name: string): Promise<AssetFile> => {
      const [task = "", until = "", signature = ""] = token.split(".");
      const isOurs = isSameText(signature, sign(`${task}.${until}`));
      if (!isOurs || Number(until) < farm.clock.now())
        throw new AppError("NOT_AUTHENTICATED", "This link has ended: open the file again from its job");
      const files = await filesOfTask(farm, Number(task));
      const wanted = baseOf(files) + name;
      const found = files.find(({ uri }) => uri === wanted) ?? files.find(({ uri }) => decoded(uri) === wanted);
      if (!found) throw new AppError("NOT_FOUND", "The task made no such file");
      return found;
    },
  };
};

const decoded = (uri: string): string => {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri; // a plain path with a % in it
  }
};

/** The folder that holds all of these files. */
const baseOf = (files: readonly AssetFile[]): string => {
  const [first = "", ...rest] = files.map(({ uri }) => uri.slice(0, uri.lastIndexOf("/") + 1));
  let base = first;
  while (base !== "" && !rest.every((folder) => folder.startsWith(base))) {
    base = base.slice(0, base.lastIndexOf("/", base.length - 2) + 1);
  }
  return base;
};

/** `GET /ui/v1/media/{token}/…`: the bytes of a file, or a range of them. */
export const bindMedia = (app: FastifyInstance, farm: Farm, links: MediaLinks): void => {
  app.get<{ Params: { token: string; "*": string } }>(`${uiBase}/media/:token/*`, async (request, reply) => {
    const { token, "*": name } = request.params;
    const file = await links.open(token, name);
    const { path, size } = await localPath(farm, file);
    const range = rangeOf(request.headers.range, size);
    reply.headers({
      "content-type": mediaKindOf(file.uri).type,
      "accept-ranges": "bytes",
      "cache-control": "private, max-age=600",
      // What a job made may say anything: no page of ours, and no other, runs it.
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    });
    if (range === "none") return send(reply.code(200), path, { start: 0, end: size - 1, size });
    if (range === "outside") {
      return reply.code(416).header("content-range", `bytes */${size}`).send();
    }
    reply.header("content-range", `bytes ${range.start}-${range.end}/${size}`);
    return send(reply.code(206), path, { ...range, size });
  });
};

const send = (
  reply: FastifyReply,
  path: string,
  { start, end, size }: { start: number; end: number; size: number },
) => {
  if (size === 0) return reply.header("content-length", 0).send("");
  return reply.header("content-length", end - start + 1).send(createReadStream(path, { start, end }));
};

/** One range of bytes; several at once are answered with the whole, which is allowed. */
export const rangeOf = (
  header: string | undefined,
  size: number,
): "none" | "outside" | { readonly start: number; readonly end: number } => {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!found) return "none";
  const [, from = "", to = ""] = found;
  if (from === "" && to === "") return "none";
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? "outside" : { start, end };
};
