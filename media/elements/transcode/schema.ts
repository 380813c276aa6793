import { z } from "zod";
import { location } from "../../../shared/files/location.ts";
import { audioFilters } from "./audio/filters/index.ts";
import { audioCodecs } from "./audio/index.ts";
import { audioTarget } from "./audio/schema.ts";
import { containers } from "./containers/index.ts";
import { containerKinds, containerTarget } from "./containers/schema.ts";
import { manifest } from "./manifests/schema.ts";
import { sourcePipeline, transcodeOptions } from "./pipeline-schema.ts";
import { targetFields } from "./target-schema.ts";
import { videoFilters } from "./video/filters/index.ts";
import { videoCodecs } from "./video/index.ts";
import { tellOwnNames } from "./video/own-names.ts";
import { videoTarget } from "./video/schema.ts";

const video = videoTarget
  .extend({
    codec: z.enum(["copy", ...videoCodecs.map(({ name }) => name)]).optional(),
    filters: videoFilters.optional(),
  })
  // Also where other fields are wrong, which is when the list of names is needed.
  .superRefine(tellOwnNames, { when: () => true });

const container = containerTarget.extend({
  kind: z.enum([...new Set([...containerKinds, ...containers.flatMap(({ kinds }) => kinds)])]).optional(),
});

const audio = audioTarget.extend({
  codec: z.enum(["copy", ...audioCodecs.flatMap(({ names }) => names)]).optional(),
  filters: audioFilters.optional(),
});

/** A target with the codecs and filters that there are. */
export const target = targetFields.extend({
  container: container.optional(),
  video: video.optional(),
  audio: z.array(audio).max(64).optional(),
});

export const transcodePayload = z.looseObject({
  location: location.optional(),
  targets: z.array(target).min(1).max(200),
  source_pipeline: sourcePipeline.optional(),
  options: transcodeOptions.optional(),
  manifests: z.array(manifest).max(100).optional(),
  watermarking: z.unknown().optional(),
  support_files: z.array(location).max(100).optional(),
});
export type TranscodePayload = z.output<typeof transcodePayload>;
