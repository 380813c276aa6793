import { z } from "zod";
import { arg } from "../arguments.ts";
import { stepId } from "../steps/step-id.ts";

const scratchText = z.strictObject({
  scratch: z.string().regex(/^[a-z0-9_-]{1,64}$/),
  /** It holds bytes and no text: each so many are a line of hexadecimal digits. */
  lineBytes: z.number().int().min(1).max(100_000).optional(),
});

/** Runs ffmpeg once. */
export const ffmpegStep = z.strictObject({
  do: z.literal("ffmpeg"),
  id: stepId,
  argv: z.array(arg).max(4000),
  /** Seconds of output that make 100 %. Absent: progress is unknown until the end. */
  duration: z.number().positive().optional(),
  /** The time in seconds that its first output has; zero if absent. */
  begin: z.number().nonnegative().optional(),
  /** Damaged frames that are let pass, in all and in a row. Absent: none. */
  damage: z
    .strictObject({
      most: z.number().int().nonnegative().optional(),
      inARow: z.number().int().nonnegative().optional(),
      /** Reading begins within so many streams: a packet of each may be the rest of one. */
      begun: z.number().int().nonnegative().optional(),
    })
    .optional(),
  /** Muxers whose warnings fail it. */
  strictMuxers: z.array(z.string().max(40)).max(100).optional(),
  /** It is performed only where one figure of an earlier result exceeds another one by more than this. */
  onlyIf: z
    .strictObject({ result: stepId, figure: z.string().max(100), over: z.string().max(100), by: z.number() })
    .optional(),
  /** What it finds out, by result id: a parser's name, and the text that it reads. */
  results: z
    .record(
      stepId,
      z.strictObject({
        parser: z.string().max(100),
        /** What the parser must know beside the text. */
        options: z.json().optional(),
        from: z.union([z.literal("stderr"), scratchText]),
        /** The result of a step that is not performed. Absent: it has none. */
        otherwise: z.json().optional(),
      }),
    )
    .optional(),
});
