import { type SecretWords, secretIn, secretNamesIn } from "../../shared/credentials/secret-words.ts";
import type { Work } from "../../shared/work/work.ts";
import type { JobValue } from "../kernel/job-value.ts";
import type { TaskRow } from "../store/rows.ts";
import { openPayload } from "./sealing.ts";
import type { Secrets } from "./secrets.ts";

/**
 * The secrets that a task's steps name, decrypted for one assignment and stored nowhere. Missing ones are omitted, and
 * the step reports them. Undefined if no step names any.
 */
export const secretWordsFor = (
  farm: Pick<Secrets, "vault">,
  { specs }: JobValue,
  task: TaskRow,
  { steps }: Work,
): SecretWords | undefined => {
  const names = steps.flatMap((step) => (step.do === "ffmpeg" ? [] : secretNamesIn(step)));
  if (names.length === 0) return undefined;
  const spec = specs.get(task.element_uid);
  const payload = spec && openPayload(farm.vault, spec.payload);
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = secretIn(payload, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
};
