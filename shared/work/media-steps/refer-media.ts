import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

const names = z.array(z.string().min(1).max(1000)).max(200).readonly();

/** Writes a movie without media that refers to the file of an earlier step, by the way from one to the other. */
export const referMediaStep = z.strictObject({
  do: z.literal("refer_media"),
  id: stepId,
  /** The file with the media. */
  of: z.string(),
  /** The movie. */
  to: z.string(),
  address: z.discriminatedUnion("form", [
    z.strictObject({
      form: z.literal("alias"),
      up: z.number().int().min(0).max(200),
      down: names,
      path: names,
    }),
    z.strictObject({ form: z.literal("url"), url: z.string().min(1).max(8000) }),
  ]),
});
