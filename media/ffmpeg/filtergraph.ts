import { type Arg, type ArgumentPart, escapeFilterValue, type Reference } from "../../shared/work/arguments.ts";

/** A text around a value that only the node knows: `pow(10,(-23-(` and a measured value and `))/20)`. */
type FilterText = { readonly parts: readonly (string | Reference)[] };

/** A filter's option: text, a number, or a value that only the node knows (a path, a measured value). */
export type FilterValue = string | number | Reference | FilterText;

/** One filter; options are written in order, undefined ones are omitted. */
export type Filter = {
  readonly name: string;
  readonly options?: { readonly [name: string]: FilterValue | undefined };
  /** A second picture that the filter takes in addition to its chain's. */
  readonly beside?: SideSource;
};

/** The video of another file, and the filters applied to it first. */
export type SideSource = {
  /** A file of the job's; or one that the attempt made in its folder, by its name there. */
  readonly uri: string;
  readonly isScratch?: true;
  /** It comes before the picture of the chain: what the filter gives out has its side data. */
  readonly isFirst?: true;
  /** Options before its `-i`. */
  readonly args: readonly string[];
  readonly filters: readonly Filter[];
};

/** A chain of filters with input and output labels. An input's stream has the label `0:1`. */
export type Chain = {
  readonly from: readonly string[];
  readonly filters: readonly Filter[];
  readonly to: readonly string[];
};

/** The graph as the value of `-filter_complex`. Values are escaped, so any text is safe. */
export const printGraph = (chains: readonly Chain[]): Arg => {
  const parts = chains.flatMap(({ from, filters, to }, index): ArgumentPart[] => [
    ...(index === 0 ? [] : [";"]),
    labels(from),
    ...filters.flatMap((filter, at) => [...(at === 0 ? [] : [","]), ...printFilter(filter)]),
    labels(to),
  ]);
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return { parts: joined(parts) };
};

/** The name of every filter that the graph needs, each once. */
export const filterNames = (chains: readonly Chain[]): string[] => [
  ...new Set(chains.flatMap(({ filters }) => filters.map(({ name }) => name))),
];

const labels = (names: readonly string[]) => names.map((name) => `[${name}]`).join("");

const printFilter = ({ name, options = {} }: Filter): ArgumentPart[] => {
  const set = Object.entries(options).filter((entry): entry is [string, FilterValue] => entry[1] !== undefined);
  return [name, ...set.flatMap(([key, value], index) => [`${index === 0 ? "=" : ":"}${key}=`, ...printValue(value)])];
};

const printValue = (value: FilterValue): ArgumentPart[] => {
  if (typeof value !== "object") return [escapeFilterValue(String(value))];
  if ("parts" in value) return value.parts.flatMap(printValue);
  return [{ of: value, context: "filter" }];
};

/** Merges neighbouring texts. */
const joined = (parts: readonly ArgumentPart[]): ArgumentPart[] => {
  const result: ArgumentPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === "string" && typeof last === "string") result[result.length - 1] = last + part;
    else if (part !== "") result.push(part);
  }
  return result;
};
