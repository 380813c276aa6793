import { z } from "zod";
import { failure } from "./causes.ts";
import { selection } from "./file-selection.ts";
import { taggedFile } from "./file-state.ts";
import { folderPlace } from "./folder-place.ts";
import { sighting } from "./waiting.ts";
import { workAsset } from "./work.ts";

/** What the coordinator asks a node to look at beside its slots, and what the node saw. */

const folderQuestion = z.strictObject({
  what: z.literal("folder"),
  folder: z.string(),
  selection,
  /** What was seen last of files that may be complete by now. */
  last: z.record(z.string(), z.strictObject({ size: z.number(), modified: z.number() })),
});

export const question = z.discriminatedUnion("what", [
  folderQuestion,
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
  /** A long listing comes in several answers. */
  z.strictObject({
    what: z.literal("folder"),
    files: z.array(taggedFile.extend({ lacks: z.string().max(4000).optional() })).max(10_000),
    /** With the last answer. */
    place: folderPlace.optional(),
    isLast: z.boolean(),
  }),
  z.strictObject({ what: z.literal("failure"), failure }),
]);
export type Answer = z.output<typeof answer>;
export type AnswerOf<W extends Answer["what"]> = Extract<Answer, { what: W }>;
