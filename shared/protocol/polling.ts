import { z } from "zod";
import { recordOf } from "../basics/bounds.ts";
import { selection } from "../files/file-selection.ts";
import { taggedFile } from "../files/file-state.ts";
import { folderIdentity } from "../files/folder-identity.ts";
import { failure } from "../model/failure.ts";
import { sighting } from "../work/polling.ts";
import { workAsset } from "../work/work.ts";

/** What the coordinator asks a node to look at beside its slots, and what the node saw. */

/** A look whose next answer takes longer is asked of a node again. */
export const pollPatienceMs = 120_000;

const folderQuestion = z.strictObject({
  what: z.literal("folder"),
  folder: z.string(),
  selection,
  /** What was seen last of files that may be complete by now. */
  last: z.record(z.string(), z.strictObject({ size: z.number(), modified: z.number() })),
});

export const pollRequest = z.discriminatedUnion("what", [
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
export type PollRequest = z.output<typeof pollRequest>;
export type PollRequestOf<W extends PollRequest["what"]> = Extract<PollRequest, { what: W }>;

export const pollResponse = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("sources"), saw: recordOf(sighting, 10_000) }),
  /** A long listing comes in several answers. */
  z.strictObject({
    what: z.literal("folder"),
    files: z.array(taggedFile.extend({ lacks: z.string().max(4000).optional() })).max(10_000),
    /** With the last answer. */
    place: folderIdentity.optional(),
    isLast: z.boolean(),
  }),
  z.strictObject({ what: z.literal("failure"), failure }),
]);
export type PollResponse = z.output<typeof pollResponse>;
export type PollResponseOf<W extends PollResponse["what"]> = Extract<PollResponse, { what: W }>;
