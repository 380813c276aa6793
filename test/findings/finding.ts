import { readdirSync } from "node:fs";
import { join } from "node:path";

/** How a job ended. */
export type Ended =
  | { readonly kind: "completed" }
  /** It was not accepted, and this is why. */
  | { readonly kind: "refused"; readonly words: string }
  | { readonly kind: "failed"; readonly words: string };

export type Made = {
  readonly ended: Ended;
  /** The folder that the job calls `{{folder}}`. */
  readonly folder: string;
  /** What the result says was done otherwise. */
  readonly warnings: readonly string[];
  readonly result: unknown;
};

/** The file that a job made, by the end of its path: jobs have folders of their own. */
export const madeFile = ({ folder }: Made, ...names: readonly string[]): string => {
  const end = join("/", ...names);
  const all = readdirSync(join(folder, "out"), { recursive: true, encoding: "utf8" });
  const found = all.find((path) => join("/", path).endsWith(end));
  if (found === undefined) throw new Error(`there is no ${end}, but ${all.slice(0, 20).join(", ")}`);
  return join(folder, "out", found);
};

export type Book = {
  /** Keeps what was measured; where it is not so, that is a fault. */
  readonly want: (isSo: boolean, text: string) => void;
};

export type Finding = {
  /** What was wrong when the file was found. */
  readonly was: string;
  readonly measure: (made: Made, book: Book) => Promise<void>;
};

export type Measured = { readonly now: readonly string[]; readonly faults: readonly string[] };

/** Measures one. A job that did not complete is a fault, but where the finding says that it may be refused. */
export const measured = async ({ measure }: Finding, made: Made): Promise<Measured> => {
  const [now, faults]: [string[], string[]] = [[], []];
  const want: Book["want"] = (isSo, text) => {
    now.push(text);
    if (!isSo) faults.push(text);
  };
  try {
    await measure(made, { want });
  } catch (problem) {
    want(false, `not measured: ${String(problem).replaceAll("\n", " ").slice(0, 300)}`);
  }
  return { now, faults };
};

/** Measures a job that has to complete. */
export const completed = (was: string, measure: (made: Made, book: Book) => Promise<void>): Finding => ({
  was,
  measure: async (made, book) => {
    if (made.ended.kind === "completed") return measure(made, book);
    book.want(false, `${made.ended.kind}: ${made.ended.words.slice(0, 300)}`);
  },
});
