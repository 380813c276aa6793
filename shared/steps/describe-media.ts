import { z } from "zod";
import { plainName } from "../words.ts";
import { stepId } from "./step-id.ts";

const address = z.string().min(1).max(4000);

/** A rendition whose file stays as it lies: what manifests say of it, and how they refer to it. */
const describedMedia = z.strictObject({
  asset: z.string(),
  kind: z.enum(["video", "audio", "text"]),
  /** Its playlist in the attempt's folder; absent: no HLS is made. */
  playlist: plainName.optional(),
  hlsUrl: address,
  dashUrl: address,
  /** Renditions of one set may take each other's place while they play. */
  set: z.string().max(400),
  codecs: z.string().max(200).optional(),
  language: z.string().max(64).optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  frameRate: z.string().max(64).optional(),
  sampleRate: z.number().int().optional(),
  channels: z.number().int().optional(),
  /** Of subtitles in one file: how long they last. */
  seconds: z.number().nonnegative().optional(),
});
export type DescribedMedia = z.output<typeof describedMedia>;

/** Writes playlists and a DASH manifest over fragmented files, which are only read. */
export const describeMediaStep = z.strictObject({
  do: z.literal("describe_media"),
  id: stepId,
  media: z.array(describedMedia).min(1).max(500),
  /** The DASH manifest in the attempt's folder. */
  mpd: plainName.optional(),
});
