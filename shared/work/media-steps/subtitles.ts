import { z } from "zod";
import { plainName } from "../arguments.ts";
import { stepId } from "../steps/step-id.ts";
import { formNames } from "../subtitle-forms.ts";

const scratchName = z.string().regex(/^[a-z0-9_-]{1,64}$/);

/** Reads subtitles in whatever form they have, takes a part of them and writes it in another form. */
export const subtitlesStep = z.strictObject({
  do: z.literal("subtitles"),
  id: stepId,
  /** Absent: no text at all. */
  from: z
    .union([
      z.strictObject({ asset: z.string() }),
      z.strictObject({ scratch: scratchName }),
      z.strictObject({ staged: plainName }),
    ])
    .optional(),
  /** Milliseconds of the text; what is written counts from the first. `clock` is what the media's first timecode shows. */
  stretch: z.strictObject({
    from: z.number(),
    to: z.number().optional(),
    speed: z.number().positive().optional(),
    clock: z.number().optional(),
    /** The same for a text of which nobody says that it counts in timecode. */
    shown: z.number().optional(),
  }),
  form: z.enum(formNames),
  language: z.string().max(64).optional(),
  /** Of SCC: whether its timecode skips numbers. */
  isDrop: z.boolean().optional(),
  /** It becomes a track: whole captions of SCC stand where they are shown, and WebVTT has no styles. */
  isTrack: z.boolean().optional(),
  /** Of WebVTT beside transport streams: the ticks of their clock at which the texts have their zero. */
  streamClock: z.number().int().optional(),
  to: z.union([z.strictObject({ scratch: scratchName }), z.strictObject({ out: z.string() })]),
  /** The output is a playlist of files of so many seconds, named by a pattern. */
  segments: z
    .strictObject({ seconds: z.number().positive(), pattern: z.string().max(255), total: z.number().optional() })
    .optional(),
});
