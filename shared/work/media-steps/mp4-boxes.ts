import { z } from "zod";
import { rational } from "../../basics/rational.ts";
import { stepId } from "../steps/step-id.ts";

const brand = z.string().min(1).max(4);

/** Changes boxes at the head of an MP4 or QuickTime file that an earlier step wrote. */
export const mp4BoxesStep = z.strictObject({
  do: z.literal("mp4_boxes"),
  id: stepId,
  of: z.string(),
  changes: z.strictObject({
    /** Compatible brands: more, or in place of the muxer's. */
    brands: z.strictObject({ names: z.array(brand).max(50).readonly(), replaces: z.boolean() }).optional(),
    vendor: z.string().length(4).optional(),
    hasAperture: z.boolean().optional(),
    /** The size, components, bits and colours of pictures of JPEG 2000. */
    jp2: z
      .strictObject({
        width: z.number().int().positive(),
        height: z.number().int().positive(),
        components: z.number().int().min(1).max(4),
        bits: z.number().int().min(1).max(38),
        colorSpace: z.number().int().nonnegative(),
      })
      .optional(),
    /** HDR10 in the boxes of the picture: of the display, and of the light. */
    hdr10: z
      .strictObject({
        display: z.array(z.number().int().nonnegative()).length(10).readonly().optional(),
        light: z.array(z.number().int().nonnegative()).length(2).readonly().optional(),
      })
      .optional(),
    /** Names of channels, by the number of the sound track: labels for QuickTime, positions of loudspeakers for MP4. */
    sounds: z
      .array(
        z.strictObject({
          track: z.number().int().nonnegative(),
          labels: z.array(z.number().int().min(0).max(0xffff_ffff)).max(64).readonly().optional(),
          positions: z.array(z.number().int().min(0).max(127)).max(64).readonly().optional(),
        }),
      )
      .max(100)
      .readonly()
      .optional(),
    /** Tracks of timecode beside the one that is there. */
    timecodes: z
      .array(z.strictObject({ frames: z.number().int().nonnegative().max(0xffff_ffff), isDrop: z.boolean() }))
      .max(8)
      .readonly()
      .optional(),
    /** Seconds for which the picture is shown, though its track holds more. */
    pictureLasts: rational.optional(),
    /** The number of the next track is counted from the tracks that there are. */
    countsTracks: z.boolean().optional(),
  }),
});
