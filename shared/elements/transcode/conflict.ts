import { TaskError } from "../../causes.ts";

/** Called where parameters contradict each other: a strict target fails, a relaxed one goes on by its plain intent. */
export type Conflict = (message: string) => void;

export const conflictRule = (compliance: "strict" | "relaxed"): Conflict =>
  compliance === "relaxed"
    ? () => {}
    : (message) => {
        throw new TaskError("definition", message);
      };
