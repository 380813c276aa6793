import { z } from "zod";

/** The name of a definition that a script may set. */
export const variableName = z.string().regex(/^[A-Za-z0-9_.-]{1,200}$/, "must be the name of a definition");

/** What a script may set a definition to. */
export const variableValue = z.union([z.string().max(16_000), z.number(), z.boolean()]);
export type VariableValue = z.output<typeof variableValue>;

/** Where an element's payload uses definitions that a script may set, and their initial values. */
export type VariablePlaces = {
  readonly defaults: Readonly<Record<string, VariableValue>>;
  /** The text at the end of the path has `{{=name}}` for each such definition. */
  readonly places: readonly { readonly path: readonly (string | number)[]; readonly text: string }[];
};

/** Marks a variable while definitions are filled in: no definition has these braces. */
export const markOf = (name: string): string => `{{=${name}}}`;

const mark = /\{\{=([A-Za-z0-9_.-]+)\}\}/g;
const marksIn = (text: string): string[] => [...text.matchAll(mark)].map(([, name = ""]) => name);

/** Every text of a value that has a mark, also names of fields: the paths of those contain the mark. */
export const placesIn = (
  value: unknown,
  path: readonly (string | number)[] = [],
): VariablePlaces["places"][number][] => {
  if (typeof value === "string") return marksIn(value).length > 0 ? [{ path, text: value }] : [];
  if (Array.isArray(value)) return value.flatMap((part, index) => placesIn(part, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    ...(marksIn(key).length > 0 ? [{ path: [...path, key], text: key }] : []),
    ...placesIn(part, [...path, key]),
  ]);
};

export const isInName = ({ path }: VariablePlaces["places"][number]): boolean =>
  path.some((step) => typeof step === "string" && marksIn(step).length > 0);

/** The payload with the variables that scripts set; a text that is only a variable becomes the value itself. */
export const withVariables = (
  payload: Record<string, unknown>,
  { defaults, places }: VariablePlaces,
  values: Readonly<Record<string, VariableValue>>,
): Record<string, unknown> => {
  const used = places.filter(({ text }) => marksIn(text).some((name) => Object.hasOwn(values, name)));
  return used.reduce((filled, { path, text }) => {
    const currentOf = (name: string) => (Object.hasOwn(values, name) ? values[name] : defaults[name]) ?? "";
    const [only] = marksIn(text);
    const isWhole = only !== undefined && text === markOf(only);
    const value = isWhole ? currentOf(only) : text.replaceAll(mark, (_, name: string) => String(currentOf(name)));
    return put(filled, path, value) as Record<string, unknown>; // the path begins within an object
  }, payload);
};

const put = (at: unknown, [key, ...rest]: readonly (string | number)[], value: VariableValue): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(at)) return at.map((part, index) => (index === key ? put(part, rest, value) : part));
  if (typeof at !== "object" || at === null) return at;
  return { ...at, [key]: put(Reflect.get(at, key), rest, value) };
};
