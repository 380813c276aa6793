import { z } from "zod";

/** What a sound is for, beside the one that players begin with. */
export const trackRole = z.enum(["original", "dub", "comment", "lyrics", "karaoke"]);
export type TrackRole = z.output<typeof trackRole>;

/** A track's place for players that choose between several: its group, and what it may be combined with. */
const trackLayer = z.strictObject({
  id: z.string().max(200).optional(),
  affinities: z.array(z.string().max(200)).max(200).optional(),
  group: z.string().max(200).optional(),
  /** ISO 639-2. */
  language: z.string().max(64).optional(),
  name: z.string().max(500).optional(),
  isDefault: z.boolean().optional(),
  /** What it is for; absent: it is the sound or text that most want. */
  role: trackRole.optional(),
});
export type TrackLayer = z.output<typeof trackLayer>;

/** Properties of a target that its file does not contain: a packager reads them from the asset. */
export const layer = z.strictObject({
  /** The entry of `package.encryptions` used to encrypt it. */
  encryptionId: z.string().max(200).optional(),
  video: trackLayer.optional(),
  audio: z.array(trackLayer).max(64).optional(),
  subtitle: z.array(trackLayer).max(64).optional(),
});
export type Layer = z.output<typeof layer>;
