import { z } from "zod";
import { failure } from "./causes.ts";
import { sighting } from "./waiting.ts";
import { workAsset } from "./work.ts";

/** What the coordinator asks a node to look at beside its slots, and what the node saw. */

export const question = z.discriminatedUnion("what", [
  z.strictObject({
    what: z.literal("sources"),
    /** By asset; with what was seen last, so that only files that seem complete are opened. */
    sources: z.record(
      z.string(),
      z.strictObject({ asset: workAsset, isManifest: z.boolean(), last: sighting.optional() }),
    ),
  }),
]);
export type Question = z.output<typeof question>;
export type QuestionOf<W extends Question["what"]> = Extract<Question, { what: W }>;

export const answer = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("sources"), saw: z.record(z.string(), sighting) }),
  z.strictObject({ what: z.literal("failure"), failure }),
]);
export type Answer = z.output<typeof answer>;
export type AnswerOf<W extends Answer["what"]> = Extract<Answer, { what: W }>;
