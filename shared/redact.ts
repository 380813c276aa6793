/** Stands where pages show nothing. */
export const hidden = "(hidden)";

/** Fields that hold what opens something, wherever they stand. */
const secretField = /^(?:access|aws_access|auth|[a-z_]{0,40}(?:password|passphrase|secret|private_key)[a-z_]{0,40})$/i;
/** Keys of media, within an object that says how it is encrypted. */
const mediaKey = /^key(?:_seed)?$/;
const encryption = /^encryptions?$/;

const secretKey =
  /"(?:access|aws_access|auth|encryptions?|[a-z_]{0,40}(?:password|passphrase|secret|private_key)[a-z_]{0,40})":/i;
/** Stands in every such key; most texts have none of these words, which is quickly seen. */
const secretWord = /access|auth|encryption|password|passphrase|secret|private_key/i;
const secretAddress = /\w:\/\/[^/?#\s:@"]{0,500}:[^/?#\s@"]{1,500}@/;

type Definitions = Readonly<Record<string, unknown>>;

/** Whether a JSON text has, or may have, something in it that is not for every eye. */
export const holdsSecrets = (json: string): boolean =>
  (secretWord.test(json) && secretKey.test(json)) || secretAddress.test(json);

/**
 * A job's definition as people see it on pages: what opens storage (`access`, and what it takes from `definitions`) and
 * passwords in addresses are hidden, and `comment` is for programs alone.
 */
export const redactJob = ({ comment: _comment, ...job }: Record<string, unknown>): Record<string, unknown> => {
  const shown: Record<string, unknown> = redact(job);
  const { definitions } = shown;
  if (definitions === null || typeof definitions !== "object") return shown;
  const secret = secretNames(JSON.stringify(secretsOf(job)), definitions as Definitions);
  const left = Object.entries(definitions).map(([name, value]) => [name, secret.has(name) ? hidden : value]);
  return { ...shown, definitions: Object.fromEntries(left) };
};

/** The same of any part of a job. */
export const redact = <T>(value: T): T => hide(value, "") as T; // the shape stays, only what is secret becomes a text

/** An address, or words with addresses in them, without the passwords of these. */
export const redactText = (text: string): string =>
  text.replaceAll(/(\w:\/\/[^/?#\s:@]*):[^/?#\s@]*@/g, `$1:${hidden}@`);

const hide = (value: unknown, within: string): unknown => {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map((item) => hide(item, within));
  if (value === null || typeof value !== "object") return value;
  // A task's comment is for programs alone.
  const entries = Object.entries(value).filter(([key]) => !(key === "comment" && within === "task"));
  return Object.fromEntries(
    entries.map(([key, part]) => [key, isSecret(key, part, within) ? hidden : hide(part, key)]),
  );
};

const isSecret = (key: string, value: unknown, within: string): boolean =>
  value !== null && (secretField.test(key) || (mediaKey.test(key) && encryption.test(within)));

const secretsOf = (value: unknown, within = ""): unknown[] => {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((item) => secretsOf(item, within));
  return Object.entries(value).flatMap(([key, part]) => (isSecret(key, part, within) ? [part] : secretsOf(part, key)));
};

/** Definitions that a text uses, and those that these use. A name that is itself put together may be any of them. */
const secretNames = (text: string, definitions: Definitions): ReadonlySet<string> => {
  const names = Object.keys(definitions);
  const found = new Set<string>();
  const look = (words: string): void => {
    const isAny = /\{\{[^}]*\{\{/.test(words);
    for (const name of names) {
      if (found.has(name) || !(isAny || words.includes(`{{${name}}}`) || words.includes(JSON.stringify(name))))
        continue;
      found.add(name);
      look(JSON.stringify(definitions[name]));
    }
  };
  look(text);
  return found;
};
