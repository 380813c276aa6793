import { type Change, joined, reversed } from "../store/batch.ts";
import type { Outside } from "./committer.ts";
import { createDraft, type Draft } from "./draft.ts";
import { Missing } from "./missing.ts";

export type Decide<T> = (draft: Draft) => T;

/** A call of `change`, with its waiting caller. */
export type ChangeRequest = {
  readonly jobIds: readonly number[];
  readonly decide: Decide<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (problem: unknown) => void;
  /** The rows it needs could not be loaded; the caller was told. */
  isAnswered: boolean;
};

/** A decided change; `answer` is sent once it is durable. */
export type Decided = { readonly request: ChangeRequest; readonly draft: Draft; readonly answer: () => void };

/** Makes decisions in memory, and undoes them. */
export const createDecider = ({ values, load, complete, follow }: Outside) => {
  const revert = ({ undos }: Draft): void => {
    for (const each of undos.toReversed()) each();
  };

  /** Returns the decision with its changes applied to memory, or the missing rows. */
  const decide = (request: ChangeRequest): Decided | Missing => {
    const jobs = request.jobIds.filter((id) => !values.peekJob(id));
    if (jobs.length > 0) return new Missing({ jobs: [...new Set(jobs)] });
    const draft = createDraft(values);
    try {
      const value = request.decide(draft);
      complete(draft);
      pin(draft, 1);
      follow(joined(draft.changes));
      return { request, draft, answer: () => request.resolve(value) };
    } catch (problem) {
      revert(draft);
      if (problem instanceof Missing) return problem;
      return { request, draft: createDraft(values), answer: () => request.reject(problem) };
    }
  };

  const pin = ({ changes }: Draft, by: 1 | -1): void => {
    for (const change of changes) for (const [kind, key] of pinsOf(change)) values.pin(kind, key, by);
  };

  const loadFor = async (request: ChangeRequest, { needs }: Missing): Promise<void> => {
    try {
      await load(needs);
    } catch (problem) {
      request.isAnswered = true;
      request.reject(problem);
    }
  };

  return {
    decide,
    /** Loads the missing rows; if that fails, the caller is told. */
    load: loadFor,
    /** Decides and loads until it is decided; undefined if something could not be loaded. */
    decideNow: async (request: ChangeRequest): Promise<Decided | undefined> => {
      for (let found = decide(request); ; found = decide(request)) {
        if (!(found instanceof Missing)) return found;
        await loadFor(request, found);
        if (request.isAnswered) return undefined;
      }
    },
    /** Restores memory as it was before the decision. */
    undo: ({ draft }: Decided): void => {
      revert(draft);
      pin(draft, -1);
      follow(joined(draft.changes).map(reversed));
    },
    /** The decision is durable: releases its effects and its answer. */
    release: ({ request, draft, answer }: Decided): void => {
      pin(draft, -1);
      try {
        for (const effect of draft.effects) effect();
        answer();
      } catch (problem) {
        request.reject(problem);
      }
    },
  };
};

/** The values that a change concerns. */
const pinsOf = ({ table, key, job }: Change): readonly (readonly [kind: string, key: string | number])[] => [
  ...(job === undefined ? [] : [["jobs", job] as const]),
  ...(table === "tasks" ? [["works", key[0] ?? 0] as const] : []),
  ...(table === "attempts" || table === "facts" ? [[table, key[0] ?? 0] as const] : []),
  ...(table === "submissions" ? [[table, key.join("\n")] as const] : []),
];
