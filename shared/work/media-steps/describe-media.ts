import { z } from "zod";
import { plainName } from "../arguments.ts";
import { master } from "../steps/place.ts";
import { stepId } from "../steps/step-id.ts";

const address = z.string().min(1).max(4000);

/**
 * A rendition whose files stay as they are: what manifests say of it, and how they refer to it. What is absent of a file
 * that the attempt made is read from that file.
 */
const describedMedia = z.strictObject({
  from: z.union([z.strictObject({ asset: z.string() }), z.strictObject({ out: z.string() })]),
  kind: z.enum(["video", "audio", "text"]),
  /**
   * fragments: one file, whose fragments are the segments. segments: a file for each. playlist: its playlist is there
   * already. text: subtitles in one file.
   */
  layout: z.enum(["fragments", "segments", "playlist", "text"]),
  /** Where the muxer listed the files of `segments`. */
  list: z
    .string()
    .regex(/^[a-z0-9_-]{1,64}$/)
    .optional(),
  /** Its playlist in the attempt's folder; absent: no HLS is made. */
  playlist: plainName.optional(),
  /** Of `segments`: the folder's address. */
  hlsUrl: address.or(z.literal("")),
  dashUrl: address.or(z.literal("")),
  /** Renditions of one set may take each other's place while they play. */
  set: z.string().max(2000),
  /** Its name in a DASH manifest, where no other rendition has it. */
  id: z.string().max(100).optional(),
  /** What its set is for, and how people read it. */
  roles: z.array(z.string().max(64)).max(4).optional(),
  label: z.string().max(500).optional(),
  /** Name of the sample entry of HEVC; absent: hvc1. */
  hevc: z.enum(["hvc1", "hev1"]).optional(),
  codecs: z.string().max(200).optional(),
  language: z.string().max(64).optional(),
  /** How the brightness of its pictures is coded, by the number of ISO/IEC 23091-2. */
  transfer: z.number().int().optional(),
  /** Captions lie in its pictures. */
  hasCaptions: z.boolean().optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  frameRate: z.string().max(64).optional(),
  sampleRate: z.number().int().optional(),
  channels: z.number().int().optional(),
  /** Of subtitles in one file: how long they last. */
  seconds: z.number().nonnegative().optional(),
});
export type DescribedMedia = z.output<typeof describedMedia>;

/** Writes playlists, a master playlist and a DASH manifest over files that are only read. */
export const describeMediaStep = z.strictObject({
  do: z.literal("describe_media"),
  id: stepId,
  media: z.array(describedMedia).min(1).max(500),
  /** The DASH manifest in the attempt's folder. */
  mpd: plainName.optional(),
  /** The master playlist in the attempt's folder; what it says of codecs and sizes is read from the media. */
  master: z.strictObject({ name: plainName, recipe: master }).optional(),
});
