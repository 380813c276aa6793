import { z } from "zod";
import { plainName } from "../arguments.ts";
import { stepId } from "../steps/step-id.ts";

/** A file of fragments that the attempt made, and what its manifests say of it. */
const smoothTrack = z.strictObject({
  /** In the attempt's folder. */
  file: plainName,
  /** Its address as the server's manifest names it. */
  url: z.string().min(1).max(4000),
  kind: z.enum(["video", "audio"]),
  /** How players and people call it; absent: by its language. */
  name: z.string().max(100).optional(),
  language: z.string().max(64).optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  sampleRate: z.number().int().optional(),
  channels: z.number().int().optional(),
});
export type SmoothTrack = z.output<typeof smoothTrack>;

/** Reads where the fragments of each file lie, and writes both manifests of Smooth Streaming into the attempt's folder. */
export const describeSmoothStep = z.strictObject({
  do: z.literal("describe_smooth"),
  id: stepId,
  tracks: z.array(smoothTrack).min(1).max(500),
  /** For the server. */
  server: plainName,
  /** For players. */
  client: plainName,
  /** Under which the server finds the client's manifest beside its own. */
  clientUrl: z.string().min(1).max(1000),
});
