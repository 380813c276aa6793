import type { WordOrSecret } from "../../shared/credentials/secret-words.ts";
import { definitionError } from "../../shared/model/failure.ts";
import type { Assignment } from "../../shared/protocol/messages.ts";

/** Reads words of steps; those that are secrets came beside the assignment. */
export const createSecretReader =
  ({ secretWords }: Pick<Assignment, "secretWords">) =>
  (word: WordOrSecret): string => {
    if (typeof word === "string") return word;
    const text = secretWords?.[word.secret];
    if (text !== undefined) return text;
    throw definitionError(`${word.secret.replaceAll("/", ".")} is empty or missing`);
  };
