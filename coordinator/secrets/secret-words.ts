import { Secret, toRevealedJson } from "../../shared/basics/secret.ts";
import { entryOfWord, type SecretWords, secretIn, secretNamesIn } from "../../shared/credentials/secret-words.ts";
import type { Work } from "../../shared/work/work.ts";
import type { JobValue } from "../kernel/job-value.ts";
import type { TaskRow } from "../store/rows.ts";
import type { CredentialRow } from "./credential-row.ts";
import { isFor, openEntry, refusal } from "./credentials.ts";
import { openPayload } from "./sealing.ts";
import type { Secrets } from "./secrets.ts";

/**
 * The secrets that a task's steps name, decrypted for one assignment and stored nowhere. Missing ones are omitted, and
 * the step reports them. Undefined if no step names any.
 */
export const secretWordsFor = (
  farm: Pick<Secrets, "vault" | "credentials" | "registry">,
  { specs }: JobValue,
  task: TaskRow,
  { steps }: Pick<Work, "steps">,
  nodeId: number,
): SecretWords | undefined => {
  const names = steps.flatMap((step) => (step.do === "ffmpeg" ? [] : secretNamesIn(step)));
  if (names.length === 0) return undefined;
  const spec = specs.get(task.element_uid);
  const payload = spec && openPayload(farm.vault, spec.payload);
  const own = names.flatMap((name) => {
    const text = entryOfWord(name) === undefined ? secretIn(payload, name) : undefined;
    return text === undefined ? [] : [[name, text] as const];
  });
  const ofVault = signedByEntry(farm, steps).flatMap(({ word, row }) => {
    const text = isFor(farm, { entry: row }, nodeId) ? keysOf(farm, row) : undefined;
    return text === undefined ? [] : [[word, text] as const];
  });
  return Object.fromEntries([...own, ...ofVault]);
};

type Signed = { readonly word: string; readonly row: CredentialRow };

/**
 * The entries of the vault by which requests are signed. An entry signs what goes below its prefix only, as it opens
 * storage below its prefix only: whoever may submit jobs must not send its signature anywhere else.
 */
export const signedByEntry = (
  { credentials }: Pick<Secrets, "credentials">,
  steps: readonly Work["steps"][number][],
): Signed[] =>
  steps.flatMap((step) => {
    const word = step.do === "request" && step.signature && "entry" in step.signature && step.signature.entry.secret;
    const row = word ? credentials.get(entryOfWord(word) ?? "") : undefined;
    return word && row && step.do === "request" && refusal(row, step.url) === undefined ? [{ word, row }] : [];
  });

/** Undefined for credentials of another kind. */
const keysOf = (farm: Pick<Secrets, "vault" | "credentials" | "registry">, row: CredentialRow): Secret | undefined => {
  const credential = openEntry(farm, row);
  if (credential.kind !== "s3") return undefined;
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: sessionToken } = credential;
  return new Secret(toRevealedJson({ accessKeyId, secretAccessKey, sessionToken }));
};
