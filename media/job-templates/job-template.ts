/** One field of a job template's form. */
export type TemplateField =
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

export type TemplateValues = Readonly<Record<string, string | number>>;

export type TemplateElement = { readonly uid: string; readonly kind: string; readonly payload: object };
export type TemplateConnection = readonly [from: string, success: readonly string[]];

/** A common delivery: a preset with a small form. */
export type JobTemplate = {
  readonly id: string;
  readonly title: string;
  /** The result, in one sentence. */
  readonly says: string;
  readonly fields: readonly TemplateField[];
  /** The elements after the source; connections name it "source". `folder` is where outputs go. */
  readonly make: (values: TemplateValues, folder: object) => Made;
};

type Made = { readonly elements: readonly TemplateElement[]; readonly connections: readonly TemplateConnection[] };

/** One element behind the source. */
export const singleElementJob = (uid: string, kind: string, payload: object): Made => ({
  elements: [{ uid, kind, payload }],
  connections: [["source", [uid]]],
});

/** A field with one of several values, each with its word, in the order of the form. */
export const choice = (
  key: string,
  label: string,
  initial: string,
  choices: Extract<TemplateField, { kind: "choice" }>["choices"],
): TemplateField => ({ kind: "choice", key, label, initial, choices });

/** Whether nodes share the encoding of a film: each takes a minute of it at a time. */
export const nodesField = choice("nodes", "Encode on", "one", [
  ["one", "one node"],
  ["several", "several nodes, a minute each"],
]);

const sectionSeconds = 60;

/** What a transcode's payload says of that. */
export const sharedAmong = ({ nodes }: TemplateValues): object =>
  nodes === "several" ? { source_pipeline: { segmented_rendering: { duration_sec: sectionSeconds } } } : {};

/** One target, transcoded into a folder. */
export const transcodeJob = (uid: string, location: object, target: object, values: TemplateValues = {}): Made =>
  singleElementJob(uid, "transcode", { location, ...sharedAmong(values), targets: [target] });

/** Sound of a master: uncompressed. */
export const masterSound = { codec: "pcm", sample_size: 24, sample_rate: 48_000 };

/** Brings sound to this loudness, in LUFS. */
export const loudnessFilter = (integrated_lufs: number): object => ({
  kind: "normalize",
  payload: { kind: "ebur128", payload: { integrated_lufs, true_peak_dbfs: -1 } },
});

export const numberIn = (values: TemplateValues, key: string): number => Number(values[key]);

/** Names that distinguish files of the same source. */
export const outputPattern = (suffix: string): string => `{source_basename}_${suffix}{default_extension}`;
