/** One field of a recipe's form. */
export type RecipeField =
  | {
      readonly key: string;
      readonly label: string;
      readonly kind: "number";
      readonly initial: number;
      readonly min: number;
      readonly max: number;
    }
  | {
      readonly key: string;
      readonly label: string;
      readonly kind: "choice";
      readonly initial: string;
      readonly choices: readonly (readonly [value: string, word: string])[];
    };

export type RecipeValues = Readonly<Record<string, string | number>>;

export type RecipeElement = { readonly uid: string; readonly kind: string; readonly payload: object };
export type RecipeConnection = readonly [from: string, success: readonly string[]];

/** A common delivery: a preset with a small form. */
export type Recipe = {
  readonly id: string;
  readonly title: string;
  /** The result, in one sentence. */
  readonly says: string;
  readonly fields: readonly RecipeField[];
  /** The elements after the source; connections name it "source". `folder` is where outputs go. */
  readonly make: (values: RecipeValues, folder: object) => Made;
};

type Made = { readonly elements: readonly RecipeElement[]; readonly connections: readonly RecipeConnection[] };

/** One element behind the source. */
export const single = (uid: string, kind: string, payload: object): Made => ({
  elements: [{ uid, kind, payload }],
  connections: [["source", [uid]]],
});

/** Whether nodes share the encoding of a film: each takes a minute of it at a time. */
export const nodesField: RecipeField = {
  ...{ key: "nodes", label: "Encode on", kind: "choice", initial: "one" },
  choices: [
    ["one", "one node"],
    ["several", "several nodes, a minute each"],
  ],
};

const sectionSeconds = 60;

/** What a transcode's payload says of that. */
export const sharedAmong = ({ nodes }: RecipeValues): object =>
  nodes === "several" ? { source_pipeline: { segmented_rendering: { duration_sec: sectionSeconds } } } : {};

/** One target, transcoded into a folder. */
export const transcoded = (uid: string, location: object, target: object, values: RecipeValues = {}): Made =>
  single(uid, "transcode", { location, ...sharedAmong(values), targets: [target] });

export const numberIn = (values: RecipeValues, key: string): number => Number(values[key]);

/** Names that distinguish files of the same source. */
export const named = (suffix: string): string => `{source_basename}_${suffix}{default_extension}`;
