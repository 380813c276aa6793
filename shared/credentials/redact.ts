/** Replaces a hidden value on pages. */
export const hidden = "(hidden)";

/** Fields that contain secrets, at any depth. */
const secretField =
  /^(?:access|aws_access|auth|env|[a-z_]{0,40}(?:password|passphrase|secret|private_key)[a-z_]{0,40})$/i;
/** Media keys, within an object that describes encryption. */
const mediaKey = /^key(?:_seed)?$/;
const encryption = /^encryptions?$/;

/** What a notification says, within the method that sends it: it may hold keys that only its receiver knows. */
const messageField = /^(?:body|user_payload)$/;
const notification = /^(?:email|rest|sns|sqs)$/;
/** What a container is told to do, within the list of its commands: passwords are often arguments. */
const commandField = /^(?:args|shell|command)$/;
const commandList = "commands";
const messageKey =
  /"(?:body|user_payload|comment|headers|attributes|args|shell|command)":|"https?:\/\/[^"?]{0,4000}\?/i;

/** Headers with credentials; those of requests are fields of `headers`, or pairs of `name` and `value`. */
const secretHeader = /^[a-z-]{0,40}(?:authorization|cookie|api-?key|token|secret|signature|password)[a-z-]{0,40}$/i;
const headerLists = /^(?:headers|attributes)$/;
export const isSecretHeader = (name: string): boolean => secretHeader.test(name);

const secretKey =
  /"(?:access|aws_access|auth|env|encryptions?|[a-z_]{0,40}(?:password|passphrase|secret|private_key)[a-z_]{0,40})":/i;
/** Every such key contains one of these; most texts contain none, which is quickly checked. */
const secretWord =
  /access|auth|"env"|encryption|password|passphrase|secret|private_key|cookie|api-?key|token|signature/i;
const secretHeaderText =
  /"(?:name":")?[a-z-]{0,40}(?:authorization|cookie|api-?key|token|secret|signature|password)[a-z-]{0,40}"/i;
/** XML inside a text. */
const secretAttribute = /\bpassword\s*=\s*(?:\\"|')/i;
const queryName =
  /[?&;#](?:x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|(?:[a-z]{1,20}_)?token|sig|signature|password|api[-_]?key|secret|key-pair-id|policy|hdn(?:ts|ea))=/;
const queryValue = /[^&#\s"'<>]{1,4000}/;
const secretQuery = new RegExp(queryName.source + queryValue.source, "i");
const addressStart = /\w:\/\/[^/?#\s:@"]{0,500}:/;
const addressPassword = /[^/?#\s@"]{1,500}@/;
const secretAddress = new RegExp(addressStart.source + addressPassword.source, "i");

/** An attribute, a query or an address whose secret is not hidden yet. */
const shownSecret = new RegExp(
  [
    secretAttribute.source,
    `${queryName.source}(?!\\(hidden\\))${queryValue.source}`,
    `${addressStart.source}(?!\\(hidden\\)@)${addressPassword.source}`,
  ].join("|"),
  "i",
);

const everySecretQuery = new RegExp(secretQuery.source, "gi");

type Definitions = Readonly<Record<string, unknown>>;

/** Whether a JSON text contains, or may contain, secrets. */
export const holdsSecrets = (json: string): boolean =>
  (secretWord.test(json) && (secretKey.test(json) || secretHeaderText.test(json) || secretAttribute.test(json))) ||
  secretAddress.test(json) ||
  secretQuery.test(json) ||
  messageKey.test(json);

/**
 * A job's definition as shown on pages: credentials (`access`, and the definitions it uses) and passwords in addresses
 * are hidden; `comment` is only for programs.
 */
export const redactJob = ({ comment: _comment, ...job }: Record<string, unknown>): Record<string, unknown> => {
  const shown: Record<string, unknown> = redact(job);
  const { definitions } = shown;
  if (definitions === null || typeof definitions !== "object") return shown;
  const secret = secretNames(JSON.stringify(secretsOf(job)), definitions as Definitions);
  const left = Object.entries(definitions).map(([name, value]) => [name, secret.has(name) ? hidden : value]);
  return { ...shown, definitions: Object.fromEntries(left) };
};

/** The same for any part of a job. */
export const redact = <T>(value: T): T => hide(value, "") as T; // the shape stays, only secrets become a text

/** An address, or a text with addresses, without their passwords and what signs them. */
export const redactText = (text: string): string =>
  text
    // Up to the last @: readers of addresses take the others as parts of the password.
    .replaceAll(/(\w:\/\/[^/?#\s:@]*):[^/?#\s]*@/g, `$1:${hidden}@`)
    .replaceAll(everySecretQuery, (found) => `${found.slice(0, found.indexOf("=") + 1)}${hidden}`)
    .replaceAll(/(\bpassword\s*=\s*)(?:"[^"]*"|'[^']*')/gi, `$1"${hidden}"`);

/**
 * Every text of a JSON document through `redactText`. Most documents hold nothing to hide, which is quickly seen, and are
 * given back as they are.
 */
export const redactJson = (json: string): string =>
  showsSecret(json)
    ? JSON.stringify(JSON.parse(json, (_key, value) => (typeof value === "string" ? redactText(value) : value)))
    : json;

/** Whether `redactText` would change it. What shows a secret is found within 2000 characters. */
export const showsSecret = (text: string): boolean => shownSecret.test(text);

/** Hides texts wherever they appear. Shorter ones would be found in any text. */
export const hiding = (texts: readonly string[], shortest = 4): ((text: string) => string) => {
  // The longest first: one secret may be the beginning of another.
  const all = [...new Set(texts)].filter(({ length }) => length >= shortest).sort((a, b) => b.length - a.length);
  return (text) => all.reduce((left, secret) => left.replaceAll(secret, hidden), text);
};

const hide = (value: unknown, within: string): unknown => {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value))
    return value.map((item) => (isHeader(item, within) ? { ...item, value: hidden } : hide(item, within)));
  if (value === null || typeof value !== "object") return value;
  // A task's comment is only for programs.
  const entries = Object.entries(value).filter(([key]) => !(key === "comment" && within === "task"));
  return Object.fromEntries(
    entries.map(([key, part]) => [key, isSecret(key, part, within) ? hidden : shownPart(key, part, within)]),
  );
};

const shownPart = (key: string, part: unknown, within: string): unknown =>
  hasSecretQuery(key, part, within)
    ? redactText(`${part.slice(0, part.indexOf("?"))}?${hidden}`)
    : hide(part, placeOf(key, within));

/** All headers of a notification are for its receiver; those of storage are only secret by their names. */
const messageHeaders = "headers of a message";
const placeOf = (key: string, within: string): string =>
  within === "rest" && headerLists.test(key) ? messageHeaders : key;

/** Any query of a notification's address may be a key to its receiver. */
const hasSecretQuery = (key: string, part: unknown, within: string): part is string =>
  key === "url" && within === "rest" && typeof part === "string" && part.includes("?");

const isSecret = (key: string, value: unknown, within: string): boolean =>
  value !== null &&
  (secretField.test(key) ||
    (mediaKey.test(key) && encryption.test(within)) ||
    (messageField.test(key) && notification.test(within)) ||
    (commandField.test(key) && within === commandList) ||
    (typeof value === "string" && within === messageHeaders) ||
    (typeof value === "string" && headerLists.test(within) && isSecretHeader(key)));

const isHeader = (item: unknown, within: string): item is { readonly name: string; readonly value: unknown } =>
  (headerLists.test(within) || within === messageHeaders) &&
  typeof item === "object" &&
  item !== null &&
  "name" in item &&
  typeof item.name === "string" &&
  (within === messageHeaders || isSecretHeader(item.name));

const secretsOf = (value: unknown, within = ""): unknown[] => {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value))
    return value.flatMap((item) => (isHeader(item, within) ? [item.value] : secretsOf(item, within)));
  return Object.entries(value).flatMap(([key, part]) =>
    isSecret(key, part, within) || hasSecretQuery(key, part, within) ? [part] : secretsOf(part, placeOf(key, within)),
  );
};

/** The definitions that a text uses, directly or through others. A composed name may mean any of them. */
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
