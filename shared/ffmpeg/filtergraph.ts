/** One filter; options are written in their order, undefined ones are left out. */
export type Filter = {
  readonly name: string;
  readonly options?: { readonly [name: string]: string | number | undefined };
};

/** Filters in a row, from labels to labels. An input's stream is the label `0:1`. */
export type Chain = {
  readonly from: readonly string[];
  readonly filters: readonly Filter[];
  readonly to: readonly string[];
};

/** The graph as the value of `-filter_complex`. Values are escaped here, so any text may be one. */
export const printGraph = (chains: readonly Chain[]): string =>
  chains.map(({ from, filters, to }) => `${labels(from)}${filters.map(printFilter).join(",")}${labels(to)}`).join(";");

/** Name of every filter that the graph needs, each once. */
export const filterNames = (chains: readonly Chain[]): string[] => [
  ...new Set(chains.flatMap(({ filters }) => filters.map(({ name }) => name))),
];

const labels = (names: readonly string[]) => names.map((name) => `[${name}]`).join("");

const printFilter = ({ name, options = {} }: Filter): string => {
  const pairs = Object.entries(options).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapeForGraph(escapeForOptions(String(value)))}`],
  );
  return pairs.length > 0 ? `${name}=${pairs.join(":")}` : name;
};

// ffmpeg reads a value twice: the graph's parser first, then the one of the filter's options.
const escapeForOptions = (text: string) => text.replaceAll(/[\\':\s]/g, "\\$&");
const escapeForGraph = (text: string) => text.replaceAll(/[\\'[\],;\s]/g, "\\$&");
