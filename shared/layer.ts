import { z } from "zod";

/** What a track is to players that choose between several: part of a group, and what it may be combined with. */
const trackLayer = z.strictObject({
  id: z.string().max(200).optional(),
  affinities: z.array(z.string().max(200)).max(200).optional(),
  group: z.string().max(200).optional(),
  /** ISO 639-2. */
  language: z.string().max(64).optional(),
  name: z.string().max(500).optional(),
  isDefault: z.boolean().optional(),
});
export type TrackLayer = z.output<typeof trackLayer>;

/** What a target said of itself that its file does not tell: a packager reads it behind the asset. */
export const layer = z.strictObject({
  /** The entry of `package.encryptions` that it is encrypted by. */
  encryptionId: z.string().max(200).optional(),
  video: trackLayer.optional(),
  audio: z.array(trackLayer).max(64).optional(),
  subtitle: z.array(trackLayer).max(64).optional(),
});
export type Layer = z.output<typeof layer>;
