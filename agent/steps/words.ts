import { join } from "node:path";
import { TaskError } from "../../shared/model/failure.ts";
import { type Arg, fillArgument, type Reference } from "../../shared/work/arguments.ts";
import { isFolder } from "../../shared/work/work.ts";
import type { ResolvedOutput } from "../paths/resolved-paths.ts";
import { inputNamed, outputNamed, requireNamed } from "./named-files.ts";
import type { StepContext } from "./step.ts";

/** The argument as this node's tools need it. Throws TaskError for references that the attempt does not have. */
export const resolveArgument = (word: Arg, context: StepContext): string =>
  fillArgument(word, (reference) => textOf(reference, context));

/** The path of a staged file. */
export const stagedPath = (scratch: string, name: string): string => join(scratch, `staged_${name}`);

const textOf = (reference: Reference, context: StepContext): string => {
  const { scratch, results } = context;
  if ("scratch" in reference) return join(scratch, reference.scratch);
  if ("staged" in reference) return stagedPath(scratch, reference.staged);
  if ("asset" in reference) return inputNamed(reference.asset, context).path;
  if ("out" in reference) return writtenTo(outputNamed(reference.out, context), reference.file);
  const { value } = requireNamed(results.get(reference.result), `result ${reference.result}`);
  return valueAt(value, reference.path, reference.result);
};

/** Outputs with many files are made in a folder. */
const writtenTo = ({ output, made }: ResolvedOutput, file = output.name): string =>
  isFolder(output) ? join(made, file) : made;

const valueAt = (value: unknown, path: readonly string[], name: string): string => {
  const found = path.reduce<unknown>(
    (each, key) => (isRecord(each) && Object.hasOwn(each, key) ? each[key] : undefined),
    value,
  );
  if (typeof found === "number" && Number.isFinite(found)) return String(found);
  if (typeof found === "string") return found;
  throw new TaskError("media", `${name} found no ${path.join(".")} that a command can use`);
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
