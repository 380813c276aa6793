import { Buffer } from "node:buffer";
import type { FastifyInstance, FastifyReply } from "fastify";
import { playlistOf, segmentOf } from "../../../media/preview/segments.ts";
import { type PreviewLink, uiBase } from "../../../shared/api/ui/ui-api.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Files } from "../../files/files.ts";
import { fileOfTask, firstSourceFile } from "../../files/media-files.ts";
import { nodesWithFiles } from "../../files/node-files.ts";
import {
  nodesWithPreviews,
  type OpenPreview,
  planPreview,
  previewSegment,
  previewStill,
} from "../../files/previews.ts";
import { createSignedLinks } from "./signed-links.ts";

/** Previews that are open at once; the oldest one ends first. */
const mostOpen = 500;
const ended = "This preview has ended: open the file again";

export type PreviewLinks = ReturnType<typeof createPreviewLinks>;

/** Addresses of previews: signed, valid for some time, and for one run. */
export const createPreviewLinks = (farm: Files) => {
  const signed = createSignedLinks(farm, "preview");
  const open = new Map<number, OpenPreview>();
  let last = 0;

  const keep = (found: OpenPreview, who: string): PreviewLink => {
    last += 1;
    open.set(last, found);
    for (const oldest of open.keys()) if (open.size > mostOpen) open.delete(oldest);
    const { token, until } = signed.seal(last, who);
    const { node, preview } = found;
    return { path: `/previews/${token}/index.m3u8`, expires: new Date(until).toISOString(), node, preview };
  };

  return {
    /** Of a file that a task made. */
    ofOutput: async (taskId: number, position: number, who: string): Promise<PreviewLink> => {
      const file = await fileOfTask(farm, taskId, position);
      const maker = (await farm.store.jobs.task(taskId))?.node_id ?? null;
      return keep(await planPreview(farm, { uri: file.uri, size: file.size }, nodesWithPreviews(farm, maker)), who);
    },
    /** Of a job's source, to be held against what was made from it. */
    ofSource: async (jobId: number, who: string): Promise<PreviewLink> => {
      const file = await firstSourceFile(farm, jobId);
      if (!file) throw new AppError("NOT_FOUND", `Job ${jobId} has no source file that is known yet`);
      return keep(await planPreview(farm, { uri: file.uri, size: file.size }, nodesWithPreviews(farm)), who);
    },
    /** Of a file in a folder that a node lends; without a node id, any node that sees the path may make it. */
    ofFile: async (path: string, nodeId: number | undefined, who: string): Promise<PreviewLink> => {
      const nodes = nodesWithPreviews(farm).filter((id) => nodeId === undefined || id === nodeId);
      if (nodes.length === 0 && nodeId !== undefined && nodesWithFiles(farm).includes(nodeId))
        throw new AppError("UNAVAILABLE", "This node makes no previews: it is too old, or its ffmpeg has no libx264");
      return keep(await planPreview(farm, { uri: path }, nodes), who);
    },
    open: async (token: string): Promise<OpenPreview> => {
      const found = open.get((await signed.open(token, ended)).what);
      if (!found) throw new AppError("NOT_AUTHENTICATED", ended);
      return found;
    },
  };
};

type PreviewRequest = { readonly Params: { readonly token: string; readonly name: string } };

/** `GET /ui/v1/previews/{token}/…`: the playlist, the init segment, media segments, and stills. */
export const bindPreviews = (app: FastifyInstance, farm: Files, links: PreviewLinks): void => {
  app.get<PreviewRequest>(`${uiBase}/previews/:token/:name`, async (request, reply) => {
    const found = await links.open(request.params.token);
    const wanted = partNamed(request.params.name, found);
    reply.headers({ "cache-control": "private, max-age=600", "cross-origin-resource-policy": "same-origin" });
    if (typeof wanted === "object" && "still" in wanted)
      return reply
        .type("image/jpeg")
        .header("content-security-policy", "default-src 'none'; sandbox")
        .send(await previewStill(farm, found, wanted.still, whileListening(reply)));
    if (wanted === "playlist") return reply.type("application/vnd.apple.mpegurl").send(playlistOf(found.preview));
    const parts = await previewSegment(farm, found, wanted.segment, whileListening(reply));
    return reply.type("video/mp4").send(Buffer.from(parts[wanted.part]));
  });
};

type Part = "playlist" | { readonly still: number } | { readonly part: "init" | "media"; readonly segment: number };

const partNamed = (name: string, { preview }: OpenPreview): Part => {
  if (name === "index.m3u8") return "playlist";
  if (name === "init.mp4") return { part: "init", segment: 0 };
  const step = Number(/^(\d{1,8})\.jpg$/.exec(name)?.[1] ?? -1);
  if (step >= 0 && step < preview.steps && preview.picture) return { still: step };
  const number = Number(/^(\d{1,6})\.m4s$/.exec(name)?.[1] ?? -1);
  if (!segmentOf(preview, number)) throw new AppError("NOT_FOUND", "The preview has no such part");
  return { part: "media", segment: number };
};

/** Aborts when the page goes away, or seeks elsewhere, before it has its answer. */
const whileListening = (reply: FastifyReply): AbortSignal => {
  const abort = new AbortController();
  reply.raw.once("close", () => abort.abort(new AppError("UNAVAILABLE", "The page no longer waits for this")));
  return abort.signal;
};
