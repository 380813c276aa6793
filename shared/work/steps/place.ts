import { z } from "zod";
import { plainName } from "../arguments.ts";
import { stepId } from "./step-id.ts";

/** Names of renditions in a DASH manifest by their media, and labels by the word that stands for each. */
const dashNames = z.strictObject({
  ids: z.array(z.strictObject({ media: z.string().max(400), id: z.string().max(100) })).max(500),
  labels: z.array(z.strictObject({ word: z.string().regex(/^[\w-]{1,100}$/), label: z.string().max(500) })).max(500),
});
export type DashNames = z.output<typeof dashNames>;

/** How a manifest's references become addresses: templates that hold `{media_file}`; absent: as they are. */
const rewriting = z.strictObject({
  as: z.enum(["hls", "dash"]),
  media: z.string().max(4000).optional(),
  playlists: z.string().max(4000).optional(),
  /** How long the one segment of a playlist lasts. */
  seconds: z.number().positive().optional(),
  /** What a DASH manifest says of the programme. */
  information: z
    .strictObject({
      title: z.string().max(4000).optional(),
      source: z.string().max(4000).optional(),
      copyright: z.string().max(4000).optional(),
      url: z.string().max(4000).optional(),
    })
    .optional(),
  names: dashNames.optional(),
});

/** A master playlist, from the playlists and files that lie in the attempt's folder. */
export const master = z.strictObject({
  variants: z
    .array(
      z.strictObject({
        playlist: plainName,
        /** Of its media and of the sound that it plays with. */
        codecs: z.array(z.string().max(100)).max(20),
        resolution: z.strictObject({ width: z.number(), height: z.number() }).optional(),
        frameRate: z.number().optional(),
        /** How bright its pictures are coded, where it is not SDR. */
        range: z.enum(["PQ", "HLG"]).optional(),
        /** Groups of sound that may be played with it; none: it has its own, or has none. */
        audio: z.array(z.string().max(200)).max(50),
      }),
    )
    .max(200),
  renditions: z
    .array(
      z.strictObject({
        type: z.enum(["AUDIO", "SUBTITLES"]),
        group: z.string().max(200),
        name: z.string().max(200),
        language: z.string().max(64).optional(),
        channels: z.number().int().optional(),
        codecs: z.array(z.string().max(100)).max(20).optional(),
        isDefault: z.boolean(),
        /** Only who asks for it hears it. */
        isAsked: z.literal(true).optional(),
        playlist: plainName,
      }),
    )
    .max(200),
  captions: z
    .array(
      z.strictObject({
        index: z.number().int().min(1).max(63),
        language: z.string().optional(),
        isDefault: z.boolean(),
        /** Players may choose it by the language of their user. */
        isChosen: z.boolean(),
      }),
    )
    .max(63),
  iframes: z.array(z.strictObject({ playlist: plainName, variant: z.number().int() })).max(200),
  /** References to playlists of key frames stand before those to media. */
  iframesFirst: z.literal(true).optional(),
  title: z.string().max(4000).optional(),
  version: z.number().int(),
});
export type MasterRecipe = z.output<typeof master>;

/** Moves what was made in the attempt's folder to its outputs, and gives manifests their final addresses. */
export const placeStep = z.strictObject({
  do: z.literal("place"),
  id: stepId,
  /** A file, or every file of a numbered pattern such as `a_%05d.ts`. */
  moves: z
    .array(
      z.strictObject({ from: plainName.or(z.string().regex(/^[A-Za-z0-9_][\w.-]*%0?\d*d[\w.-]*$/)), to: z.string() }),
    )
    .max(2000),
  manifests: z.array(z.strictObject({ from: plainName, to: z.string(), rewriting })).max(500),
  master: z.strictObject({ to: z.string(), recipe: master, rewriting }).optional(),
});
