import { z } from "zod";
import { recordOf } from "../basics/bounds.ts";

/** A step's findings in addition to its files: measurements, listings, receipts. */
export const stepResult = z.strictObject({
  /** The schema of `resultKinds` that the value follows. */
  kind: z.string().min(1).max(100),
  value: z.json(),
});
export type StepResult = z.output<typeof stepResult>;

/** Results by id: the step's own, or one that a step names if it has several. */
export const stepResults = recordOf(stepResult, 10_000, z.string().min(1).max(200));
export type StepResults = z.output<typeof stepResults>;

/** The maximum length of a result's JSON; longer data must go into a file. */
export const maxResultCharacters = 256_000;

/** Reads a tool's output line by line and keeps only what it needs. */
export type LineReader = {
  /** One line without its end. */
  line(text: string): void;
  /** Called once, after the last line. Throws an Error that says what is missing. */
  end(): z.core.util.JSONType;
};

/**
 * A parser for one tool's output. Its name is a capability of nodes (`parser:<name>`), so rename it when its meaning
 * changes.
 */
export type ResultParser = {
  readonly kind: string;
  /** `options` are those of the step, as its compiler wrote them. */
  readonly begin: (options?: z.core.util.JSONType) => LineReader;
};
