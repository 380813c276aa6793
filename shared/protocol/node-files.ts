import { z } from "zod";
import { secrets } from "../credentials/credentials.ts";
import { folderListing } from "../files/folder-listing.ts";
import { maxSweptFiles, sectionFile } from "../files/section-files.ts";
import { preview } from "./preview.ts";

/** Nodes that let people look at their files say so by this capability. */
export const filesCapability = "door:files";

/** Nodes that make previews of their files say so by this capability. */
export const previewsCapability = "door:previews";

/** Nodes that make stills of their files say so by this capability. */
export const stillsCapability = "door:stills";

/** Nodes that remove sections which nobody needs any more say so by this capability. */
export const sweepCapability = "door:sweep";

/** Bytes in one answer: a player asks for the next ones once it has these. */
export const maxPieceBytes = 512 * 1024;
const count = z.number().int().nonnegative();

/** What people may ask of a node's files: only of what lies in folders that it lends. */
export const fileRequest = z.discriminatedUnion("do", [
  /** Some bytes of a file; `size`: it has to be as large as that. */
  z.strictObject({
    do: z.literal("read"),
    uri: z.string().max(4000),
    size: count.optional(),
    from: count,
    length: count.max(maxPieceBytes),
  }),
  /** An empty path lists the folders themselves. */
  z.strictObject({ do: z.literal("list"), path: z.string().max(4000) }),
  /** Files of that name, and of that size where one is given. */
  z.strictObject({ do: z.literal("find"), name: z.string().min(1).max(500), size: count.optional() }),
  /** Whether these keys open an address; nothing is written there. */
  z.strictObject({ do: z.literal("try"), uri: z.string().max(4000), keys: secrets }),
  /** What a preview of a file would be. */
  z.strictObject({ do: z.literal("preview"), uri: z.string().max(4000), size: count.optional() }),
  /** One segment of it; `state` is that of the file as the preview was planned. */
  z.strictObject({ do: z.literal("segment"), uri: z.string().max(4000), state: z.string().max(200), segment: count }),
  /** The picture at one of its steps; sent only to nodes that declare `stillsCapability`. */
  z.strictObject({ do: z.literal("still"), uri: z.string().max(4000), state: z.string().max(200), step: count }),
  /** Removes sections of transcodes; sent only to nodes that declare `sweepCapability`. */
  z.strictObject({ do: z.literal("sweep"), files: z.array(sectionFile).max(maxSweptFiles) }),
]);
export type FileRequest = z.output<typeof fileRequest>;

export const maxFoundPaths = 20;

/** A segment is limited by its bit rate to a fraction of this. */
export const maxSegmentBytes = 4 * 1024 * 1024;

export const maxStillBytes = 512 * 1024;

export const fileResponse = z.discriminatedUnion("is", [
  /** The file's whole size, and the bytes in base64. */
  z.strictObject({ is: z.literal("piece"), size: count, data: z.string().max(2 * maxPieceBytes) }),
  z.strictObject({ is: z.literal("folder"), listing: folderListing }),
  z.strictObject({ is: z.literal("found"), paths: z.array(z.string().max(8000)).max(maxFoundPaths) }),
  z.strictObject({ is: z.literal("opened"), message: z.string().max(2000) }),
  z.strictObject({ is: z.literal("preview"), state: z.string().max(200), preview }),
  /** One segment in base64: the beginning that all have in common, then its fragment. */
  z.strictObject({ is: z.literal("segment"), data: z.string().max(2 * maxSegmentBytes) }),
  /** A JPEG in base64. */
  z.strictObject({ is: z.literal("still"), data: z.string().max(2 * maxStillBytes) }),
  /** Those that are certainly not there any more. */
  z.strictObject({ is: z.literal("swept"), uris: z.array(z.string().max(4000)).max(maxSweptFiles) }),
  z.strictObject({ is: z.literal("refused"), message: z.string().max(2000) }),
  /** It would, but not now: ask again. */
  z.strictObject({ is: z.literal("busy"), message: z.string().max(2000) }),
]);
export type FileResponse = z.output<typeof fileResponse>;
