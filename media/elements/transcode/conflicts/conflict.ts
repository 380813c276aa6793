import { definitionError } from "../../../../shared/model/failure.ts";

/** Called where parameters contradict each other: a strict target fails, a relaxed one goes on and says what it ignores. */
export type Conflict = (message: string) => void;

export const conflictRule = (compliance: "strict" | "relaxed", warn: (warning: string) => void): Conflict =>
  compliance === "relaxed"
    ? (message) => warn(`${message}; it is ignored`)
    : (message) => {
        throw definitionError(message);
      };
