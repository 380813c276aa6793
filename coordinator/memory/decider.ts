import { type Change, joined, reversed } from "../store/batch.ts";
import type { Outside } from "./committer.ts";
import { createDraft, type Draft } from "./draft.ts";
import { Missing } from "./values.ts";

export type Decide<T> = (draft: Draft) => T;

/** One `change` with a waiting caller. */
export type Asked = {
  readonly jobIds: readonly number[];
  readonly decide: Decide<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (problem: unknown) => void;
  /** The rows it needs could not be loaded; the caller was told. */
  isAnswered: boolean;
};

/** A decided change; `answer` is sent once it is durable. */
export type Decided = { readonly asked: Asked; readonly draft: Draft; readonly answer: () => void };

/** Makes decisions in memory, and undoes them. */
export const createDecider = ({ values, load, complete, follow }: Outside) => {
  const undo = ({ undos }: Draft): void => {
    for (const each of undos.toReversed()) each();
  };

  /** Returns the decision with its changes applied to memory, or the missing rows. */
  const decide = (asked: Asked): Decided | Missing => {
    const jobs = asked.jobIds.filter((id) => !values.peekJob(id));
    if (jobs.length > 0) return new Missing({ jobs: [...new Set(jobs)] });
    const draft = createDraft(values);
    try {
      const value = asked.decide(draft);
      complete(draft);
      pin(draft, 1);
      follow(joined(draft.changes));
      return { asked, draft, answer: () => asked.resolve(value) };
    } catch (problem) {
      undo(draft);
      if (problem instanceof Missing) return problem;
      return { asked, draft: createDraft(values), answer: () => asked.reject(problem) };
    }
  };

  const pin = ({ changes }: Draft, by: 1 | -1): void => {
    for (const change of changes) for (const [kind, key] of pinsOf(change)) values.pin(kind, key, by);
  };

  const loadFor = async (asked: Asked, { needs }: Missing): Promise<void> => {
    try {
      await load(needs);
    } catch (problem) {
      asked.isAnswered = true;
      asked.reject(problem);
    }
  };

  return {
    decide,
    /** Loads the missing rows; if that fails, the caller is told. */
    load: loadFor,
    /** Decides and loads until it is decided; undefined if something could not be loaded. */
    decideNow: async (asked: Asked): Promise<Decided | undefined> => {
      for (let found = decide(asked); ; found = decide(asked)) {
        if (!(found instanceof Missing)) return found;
        await loadFor(asked, found);
        if (asked.isAnswered) return undefined;
      }
    },
    /** Restores memory as it was before the decision. */
    takeBack: ({ draft }: Decided): void => {
      undo(draft);
      pin(draft, -1);
      follow(joined(draft.changes).map(reversed));
    },
    /** The decision is durable: releases its effects and its answer. */
    letGo: ({ asked, draft, answer }: Decided): void => {
      pin(draft, -1);
      try {
        for (const effect of draft.effects) effect();
        answer();
      } catch (problem) {
        asked.reject(problem);
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
