import type { FastifyInstance } from "fastify";
import { uiBase } from "../../shared/api/ui-api.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { decodeOnce } from "../../shared/files/location.ts";
import { mediaKindOf } from "../../shared/files/media-kinds.ts";
import type { AssetFile } from "../../shared/model/asset.ts";
import type { Files } from "../files/files.ts";
import { filesOfTask, locateMedia, readMedia } from "../files/media-files.ts";
import { createSignedLinks } from "./signed-links.ts";

export type MediaLinks = ReturnType<typeof createMediaLinks>;

/** Signed addresses for playing the files of one task. They expire, and end with the coordinator. */
export const createMediaLinks = (farm: Files) => {
  const signed = createSignedLinks(farm.clock, "media");
  return {
    /** A path below /ui/v1. Throws AppError if the file cannot be read. */
    link: async (taskId: number, position: number) => {
      const files = await filesOfTask(farm, taskId);
      const file = files[position];
      if (!file) throw new AppError("NOT_FOUND", `Task ${taskId} made no file ${position}`);
      await locateMedia(farm, taskId, file);
      const { token, until } = signed.seal(taskId);
      const name = file.uri.slice(baseOf(files).length);
      return {
        path: `/media/${token}/${name.split("/").map(encodeURIComponent).join("/")}`,
        expires: new Date(until).toISOString(),
        ...mediaKindOf(file.uri),
      };
    },
    /** The file that an address names. */
    open: async (token: string, name: string): Promise<{ readonly taskId: number; readonly file: AssetFile }> => {
      const taskId = signed.open(token, "This link has ended: open the file again from its job");
      const files = await filesOfTask(farm, taskId);
      const wanted = baseOf(files) + name;
      const found = files.find(({ uri }) => uri === wanted) ?? files.find(({ uri }) => decodeOnce(uri) === wanted);
      if (!found) throw new AppError("NOT_FOUND", "The task made no such file");
      return { taskId, file: found };
    },
  };
};

/** The folder that contains all of these files. */
const baseOf = (files: readonly AssetFile[]): string => {
  const [first = "", ...rest] = files.map(({ uri }) => uri.slice(0, uri.lastIndexOf("/") + 1));
  let base = first;
  while (base !== "" && !rest.every((folder) => folder.startsWith(base))) {
    base = base.slice(0, base.lastIndexOf("/", base.length - 2) + 1);
  }
  return base;
};

/** `GET /ui/v1/media/{token}/…`: the bytes of a file, or a range of them. */
export const bindMedia = (app: FastifyInstance, farm: Files, links: MediaLinks): void => {
  app.get<{ Params: { token: string; "*": string } }>(`${uiBase}/media/:token/*`, async (request, reply) => {
    const { token, "*": name } = request.params;
    const { taskId, file } = await links.open(token, name);
    const place = await locateMedia(farm, taskId, file);
    const { size } = place;
    const range = parseRange(request.headers.range, size);
    reply.headers({
      "content-type": mediaKindOf(file.uri).type,
      "accept-ranges": "bytes",
      "cache-control": "private, max-age=600",
      // A job's output can contain anything: no page, ours or another, may run it.
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    });
    if (range === "outside") return reply.code(416).header("content-range", `bytes */${size}`).send();
    const { start, end } = range === "none" ? { start: 0, end: size - 1 } : range;
    if (range !== "none") reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
    reply.header("content-length", end - start + 1);
    return reply.send(size === 0 ? "" : readMedia(farm, file, place, { start, end }));
  });
};

/** One range of bytes; a request for several gets the whole file, which HTTP allows. */
export const parseRange = (
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
