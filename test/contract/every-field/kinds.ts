import { elements } from "../../../media/elements/index.ts";
import { jobPayload } from "../../../media/jobs/job-payload.ts";
import { jobSubmission } from "../../../shared/model/job.ts";
import { bases, plain } from "./bases.ts";
import { jobs } from "./bases-job.ts";
import { type Classified, type Context, classOf } from "./classes.ts";
import { examplesFor } from "./examples.ts";
import { outcomeOf, outcomeOfJob } from "./outcome.ts";
import { type Field, fieldsOf } from "./schema-fields.ts";
import { starters } from "./starters.ts";

/** The fields of one kind of element, or of a job beside its elements' payloads, and the contexts in which they are read. */
export type KindOfFields = { readonly fields: readonly Field[]; readonly contexts: readonly Context[] };

/** Kinds that read their payload just as one before them does, each with that one. */
export const twins: ReadonlyMap<string, string> = new Map(
  elements.flatMap(({ kind, plan, payload }) => {
    const first = elements.find((each) => each.plan === plan && each.payload === payload);
    return first && first.kind !== kind ? [[kind, first.kind] as const] : [];
  }),
);

const ofElement = ({ kind, payload }: (typeof elements)[number]): KindOfFields => ({
  fields: fieldsOf(payload),
  contexts: (bases[kind] ?? [plain]).map(({ world, ...base }) => {
    return { ...base, outcomeOf: (written: object) => outcomeOf(kind, written, world) };
  }),
});

const ofJob = (): KindOfFields => {
  const inPayload = { to: "key", key: "payload", schema: jobPayload } as const;
  // The payload is either a text or checked as what `jobPayload` says.
  const beside = fieldsOf(jobSubmission).filter(({ name }) => name !== "payload");
  return {
    fields: [...beside, ...fieldsOf(jobPayload, [inPayload])],
    contexts: jobs.map(({ at, job }): Context => {
      return { ...(at && { at }), payload: job, outcomeOf: (written) => outcomeOfJob({ ...written }) };
    }),
  };
};

/** Every kind of element that has fields of its own, and `job`. */
export const kinds: ReadonlyMap<string, KindOfFields> = new Map([
  ...elements.filter(({ kind }) => !twins.has(kind)).map((each) => [each.kind, ofElement(each)] as const),
  ["job", ofJob()],
]);

/** What each of these fields is. */
export const classified = async (kind: string, isWanted: (name: string) => boolean = () => true) => {
  const { fields, contexts } = kinds.get(kind) ?? { fields: [], contexts: [] };
  const found: Classified[] = [];
  for (const field of fields.filter(({ name }) => isWanted(name))) {
    found.push(await classOf(kind, field, { bases: contexts, starters, examples: examplesFor }));
  }
  return found;
};
