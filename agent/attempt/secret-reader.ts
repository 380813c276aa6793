import { entryOfWord, type WordOrSecret } from "../../shared/credentials/secret-words.ts";
import { definitionError } from "../../shared/model/failure.ts";
import type { Assignment } from "../../shared/protocol/messages.ts";

/** Reads words of steps; those that are secrets came beside the assignment. */
export const createSecretReader =
  ({ secretWords }: Pick<Assignment, "secretWords">) =>
  (word: WordOrSecret): string => {
    if (typeof word === "string") return word;
    const secret = secretWords?.[word.secret];
    if (secret) return secret.reveal();
    const entry = entryOfWord(word.secret);
    if (entry !== undefined)
      throw definitionError(`The vault has no entry "${entry}" of kind s3 that may be used for this address`);
    throw definitionError(`${word.secret.replaceAll("/", ".")} is empty or missing`);
  };
