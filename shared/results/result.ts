import { z } from "zod";

/** What a step found out, beside the files that it made: measurements, listings, receipts. */
export const stepResult = z.strictObject({
  /** Which schema of `resultKinds` the value follows. */
  kind: z.string().min(1).max(100),
  value: z.json(),
});
export type StepResult = z.output<typeof stepResult>;

/** Results by id: the step's own, or one that a step names when it has several. */
export const stepResults = z.record(z.string().min(1).max(200), stepResult);
export type StepResults = z.output<typeof stepResults>;

/** A result's JSON may have so many characters; what is longer must go into a file. */
export const maxResultCharacters = 256_000;

/** Reads a tool's text line by line and keeps what it needs, never the whole text. */
export type LineReader = {
  /** One line without its end. */
  line(text: string): void;
  /** Called once, after the last line. Throws an Error that says what is missing. */
  end(): z.core.util.JSONType;
};

/** A way to read one tool's text. Its name is a capability of nodes (`parser:<name>`), so it changes with its meaning. */
export type ResultParser = {
  readonly kind: string;
  /** `options` are those of the step, as its compiler wrote them. */
  readonly begin: (options?: z.core.util.JSONType) => LineReader;
};
