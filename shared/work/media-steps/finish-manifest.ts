import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** What ffmpeg does not write into a DASH manifest, by the numbers that it gives to renditions. */
const finishing = z.strictObject({
  /** The manifest names the indexes in its files instead of every segment. */
  isIndexed: z.literal(true).optional(),
  tracks: z
    .array(
      z.strictObject({
        number: z.number().int().min(0).max(200),
        id: z.string().max(100),
        label: z.string().max(500).optional(),
      }),
    )
    .max(200),
  /** Parts of addresses and what stands for them; `BaseURL` is the address that all others begin with. */
  addresses: z.array(z.strictObject({ name: z.string().max(200), value: z.string().max(4000) })).max(200),
});
export type Finishing = z.output<typeof finishing>;

/** Completes a DASH manifest that an earlier step wrote. */
export const finishManifestStep = z.strictObject({
  ...{ do: z.literal("finish_manifest"), id: stepId, of: z.string() },
  ...finishing.shape,
});
