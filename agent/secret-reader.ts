import { TaskError } from "../shared/causes.ts";
import type { Assignment } from "../shared/protocol.ts";
import type { WordOrSecret } from "../shared/secret-words.ts";

/** Reads words of steps; those that are secrets came beside the assignment. */
export const secretReaderOf =
  ({ secretWords }: Pick<Assignment, "secretWords">) =>
  (word: WordOrSecret): string => {
    if (typeof word === "string") return word;
    const text = secretWords?.[word.secret];
    if (text !== undefined) return text;
    throw new TaskError("definition", `${word.secret.replaceAll("/", ".")} is empty or missing`);
  };
