/** What a line says beside who, what and when. Long texts and lists are cut. */
export type Facts = Readonly<Record<string, Fact | readonly Fact[]>>;
type Fact = string | number | boolean | null;

const mostCharacters = 2000;
const [mostItems, mostInFact] = [20, 200];

/** `name=value name="two words"`: values that are more than a plain word are written as JSON. */
export const aboutText = (facts: Facts): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? listText(value) : factText(value as Fact)}`) // the other half of the type
    .join(" ")
    .slice(0, mostCharacters);

const listText = (list: readonly Fact[]): string => {
  const shown = list.slice(0, mostItems).map(factText);
  return `[${[...shown, ...(list.length > mostItems ? [`and ${list.length - mostItems} more`] : [])].join(",")}]`;
};

const factText = (fact: Fact): string => {
  if (typeof fact !== "string") return String(fact);
  const text = plainText(fact, mostInFact);
  return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text);
};

/** One line without control characters, and well-formed. */
export const plainText = (text: string, most: number): string =>
  text
    .slice(0, most)
    .toWellFormed()
    .replaceAll(/[\p{Control}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ");

/**
 * The fields of a call that its line tells. All others stay out: a body may hold passwords, keys and jobs. A name in the path is
 * always told.
 */
const toldFields: ReadonlySet<string> = new Set([
  ...["action", "state", "priority", "note", "role", "scopes", "reach", "group", "tags", "slots", "ids", "replan"],
  ...[
    "dry_run",
    "only_tags",
    "only_groups",
    "everyHours",
    "keep",
    "days",
    "until",
    "subjects",
    "add",
    "remove",
    "approves",
    "uses",
    "expires",
    "from",
  ],
]);
/** Fields that name something, unless a stranger filled them in: some type a password where the name belongs. */
const namingFields: ReadonlySet<string> = new Set(["name", "key", "path", "prefix", "auth_key", "id", "token_id"]);

/** What is told of a call: the names in its path, fields of its body, and the id of what it made. */
export const factsOf = (
  path: object,
  body: unknown,
  answer: unknown,
  { isKnown }: { readonly isKnown: boolean },
): Facts => ({
  ...chosen(path, () => true),
  ...chosen(body, (name) => toldFields.has(name) || (isKnown && namingFields.has(name))),
  ...chosen(answer, (name) => ["id", "auth_key", "name"].includes(name)),
});

const chosen = (value: unknown, isTold: (name: string) => boolean): Facts =>
  typeof value !== "object" || value === null
    ? {}
    : Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) => (isTold(name) && isFact(each) ? [[name, each] as const] : [])),
      );

const isFact = (value: unknown): value is Facts[string] =>
  value === null ||
  ["string", "number", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every((each) => typeof each === "string" || typeof each === "number"));
