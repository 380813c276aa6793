import { type Change, joined, reversed } from "../store/batch.ts";
import type { Outside } from "./committer.ts";
import { createDraft, type Draft } from "./draft.ts";
import { Missing, type Needs } from "./values.ts";

export type Decide<T> = (draft: Draft) => T;

/** One `change` that somebody waits for. */
export type Asked = {
  readonly needs: Needs;
  readonly decide: Decide<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (problem: unknown) => void;
  /** What it needs could not be loaded, and it was told so. */
  isAnswered: boolean;
};

/** A change that was decided: `answer` is what is told of it once it is durable. */
export type Decided = { readonly asked: Asked; readonly draft: Draft; readonly answer: () => void };

/** Makes decisions in memory, and takes them back. */
export const createDecider = ({ values, load, complete, follow }: Outside) => {
  const undo = ({ undos }: Draft): void => {
    for (const each of undos.toReversed()) each();
  };

  /** The decision with its changes in memory, or what it lacks. */
  const decide = (asked: Asked): Decided | Missing => {
    const lacking = values.lacks(asked.needs);
    if (lacking.jobs?.length) return new Missing(lacking);
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
    /** Loads what it lacks; where that fails, whoever asked is told so. */
    load: loadFor,
    /** Both, until it is decided; undefined where something could not be loaded. */
    decideNow: async (asked: Asked): Promise<Decided | undefined> => {
      for (let found = decide(asked); ; found = decide(asked)) {
        if (!(found instanceof Missing)) return found;
        await loadFor(asked, found);
        if (asked.isAnswered) return undefined;
      }
    },
    /** Memory is as it was before the decision. */
    takeBack: ({ draft }: Decided): void => {
      undo(draft);
      pin(draft, -1);
      follow(joined(draft.changes).map(reversed));
    },
    /** It is durable: what follows from it leaves, and its answer. */
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
