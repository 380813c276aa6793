import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { decodeOnce, nameOf } from "../../../shared/files/location.ts";
import { mediaKindOf } from "../../../shared/files/media-kinds.ts";
import type { AssetFile } from "../../../shared/model/asset.ts";
import type { Files } from "../../files/files.ts";
import { fileOfTask, filesOfTask, locateMedia, readMedia } from "../../files/media-files.ts";
import { idOf } from "../../jobs/job-ids.ts";
import { requireReached } from "../../views/reached.ts";
import type { Caller } from "../auth.ts";
import { sendRange } from "./send-range.ts";
import { createSignedLinks } from "./signed-links.ts";

export type MediaLinks = ReturnType<typeof createMediaLinks>;

/** Signed addresses of the files of one task. They expire, and end with the coordinator. */
export const createMediaLinks = (farm: Files) => {
  const signed = createSignedLinks(farm, "media");
  return {
    /** A path below /v1 and /ui/v1. Throws AppError if the file cannot be read. */
    link: async (taskId: number, position: number, who: string) => {
      const files = await filesOfTask(farm, taskId);
      const file = await fileOfTask(farm, taskId, position);
      const { size } = await locateMedia(farm, taskId, file);
      const { token, until } = signed.seal(taskId, who);
      const name = file.uri.slice(baseOf(files).length);
      return {
        path: `/media/${token}/${name.toWellFormed().split("/").map(encodeURIComponent).join("/")}`,
        expires: new Date(until).toISOString(),
        ...mediaKindOf(file.uri),
        size,
        checksum: file.checksum ?? null,
      };
    },
    /** The file that an address names. */
    open: async (token: string, name: string): Promise<{ readonly taskId: number; readonly file: AssetFile }> => {
      const { what: taskId, reach } = await signed.open(token, "This link has ended: open the file again from its job");
      await requireReached(farm, reach, { task_id: String(taskId) });
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

/** `GET …/media/{token}/…`: the bytes of a file, or a range of them, for whoever has its signed address. */
export const bindMedia = (app: FastifyInstance, farm: Files, links: MediaLinks): void => {
  for (const base of ["/v1", uiBase])
    app.get<{ Params: { token: string; "*": string } }>(`${base}/media/:token/*`, async (request, reply) => {
      const { token, "*": name } = request.params;
      const { taskId, file } = await links.open(token, name);
      return sendFile(farm, { taskId, file }, { request, reply });
    });
};

/** `GET /v1/tasks/{task_id}/outputs/{position}`: the same for a program with its token. */
export const bindOutputs = (
  app: FastifyInstance,
  farm: Files,
  allow: (request: FastifyRequest, task: { readonly task_id: string }) => Promise<Caller>,
): void => {
  app.get<{ Params: { task_id: string; position: string } }>("/v1/tasks/:task_id/outputs/:position", {
    config: { told: "downloadOutput" },
    onRequest: async (request) => {
      // The rights of a route that reads no body are checked before anything else is done.
      request.caller = await allow(request, request.params as { task_id: string }); // the names in its path
    },
    handler: async (request, reply) => {
      const [taskId, position] = [idOf(request.params.task_id), idOf(request.params.position)];
      const file = await fileOfTask(farm, taskId, position);
      const name = encodeURIComponent(nameOf(file.uri).toWellFormed()).replaceAll("'", "%27");
      reply.header("content-disposition", `attachment; filename*=UTF-8''${name}`);
      const answer = await sendFile(farm, { taskId, file }, { request, reply });
      request.caller?.succeeded?.();
      request.answer = {};
      return answer;
    },
  });
};

const sendFile = async (
  farm: Files,
  { taskId, file }: { readonly taskId: number; readonly file: AssetFile },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
) => {
  const place = await locateMedia(farm, taskId, file);
  reply.headers({
    "content-type": mediaKindOf(file.uri).type,
    "cache-control": "private, max-age=600",
    // A job's output can contain anything: no page, ours or another, may run it.
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  });
  return sendRange(request, reply, { file, size: place.size, read: (range) => readMedia(farm, file, place, range) });
};
