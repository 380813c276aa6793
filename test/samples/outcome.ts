/** What became of a sample. */
export type Outcome =
  /** `outputs`: files and measurements that were checked; `warnings`: what the job says has no effect, or is not known. */
  | { readonly kind: "completed"; readonly outputs: number; readonly warnings: readonly string[] }
  /** The program says in words what it lacks. */
  | { readonly kind: "refused"; readonly missing: string }
  /** A kind of element that a later step brings. */
  | { readonly kind: "waits"; readonly step: string; readonly missing: string }
  | { readonly kind: "failed"; readonly faults: readonly string[] };

type Failed = { readonly cause?: string | undefined; readonly message: string };

/** What the failures of a job say of it: only what names something missing is no bug. */
export const outcomeOfFailure = (errors: readonly Failed[]): Outcome => {
  const [first] = errors.filter(({ cause }) => cause === "capability");
  if (!first || errors.some(({ cause }) => cause !== "capability"))
    return { kind: "failed", faults: errors.map(({ cause = "?", message }) => `${cause}: ${message}`) };
  const step = steps.find(([words]) => words.test(first.message))?.[1];
  return step === undefined
    ? { kind: "refused", missing: first.message }
    : { kind: "waits", step, missing: first.message };
};

/** What later steps bring, by the words of a refusal. */
const steps: readonly (readonly [RegExp, string])[] = [
  [/elements of kind "(analyze|qc|watchfolder|delete_asset)"/, "storage, batches, analysis"],
  [/elements of kind "(package|notify|script)"/, "packages, encryption, notifications, scripts"],
  [/elements of kind "dolby_audio_encoder"|dolby_vision|vendor_digital|dolby_impact/, "licensed tools"],
  [/closed_captions|"scc"|"stl"|"dvbsub"/, "captions"],
  [/elements of kind "bif_creator"/, "special packages"],
];

/** The field or kind that blocks a sample, without where in the job it stands. */
export const blockerOf = (missing: string): string => {
  const kind = /elements of kind "([^"]+)"/.exec(missing)?.[1];
  if (kind !== undefined) return `element ${kind}`;
  const plain = missing.replace(/^\S*?payload\./, "").replace(/\[\d+\]/g, "[]");
  return plain.replace(/^targets\[\]\./, "").replace(/ is not implemented yet.*/, "");
};

export const lineOf = (name: string, outcome: Outcome, seconds: number): string =>
  `${name}: ${sentenceOf(outcome)} (${seconds.toFixed(0)} s)`;

export const sentenceOf = (outcome: Outcome): string => {
  if (outcome.kind === "completed")
    return [
      `completed, ${outcome.outputs} ${outcome.outputs === 1 ? "output" : "outputs"} checked`,
      ...outcome.warnings,
    ].join("; ");
  if (outcome.kind === "refused") return `refused: ${outcome.missing}`;
  if (outcome.kind === "waits") return `waits for: ${outcome.step} (${outcome.missing})`;
  return `FAILED: ${outcome.faults.join(" | ")}`;
};
