/** Stands where pages show nothing. */
const hidden = "(hidden)";

type Definitions = Readonly<Record<string, unknown>>;

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
export const redact = <T>(value: T): T => hide(value) as T; // the shape stays, only what is secret becomes a text

const hide = (value: unknown): unknown => {
  if (typeof value === "string") return value.replaceAll(/(\w:\/\/[^/?#\s:@]*):[^/?#\s@]*@/g, `$1:${hidden}@`);
  if (Array.isArray(value)) return value.map(hide);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, part]) => [key, isSecret(key, part) ? hidden : hide(part)]));
};

const isSecret = (key: string, value: unknown): boolean => key === "access" && value !== null;

const secretsOf = (value: unknown): unknown[] => {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, part]) => (isSecret(key, part) ? [part] : secretsOf(part)));
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
