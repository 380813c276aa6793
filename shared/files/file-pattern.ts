import { definitionError } from "../model/failure.ts";
import { basenameOf } from "./location.ts";

export type PatternValues = {
  /** The source's file name with its extension. */
  readonly sourceName: string;
  /** With its dot: ".mp4". */
  readonly defaultExtension: string;
  readonly jobId: number;
  /** The target's own name without its extension, where the pattern is of a file beside it. */
  readonly targetBasename?: string | undefined;
};

/**
 * Fills the placeholders of a `file_pattern`. `{default_extension}` includes its dot, so ".{default_extension}" is
 * collapsed; so is ".{source_extension}". Unknown placeholders and invalid file names throw TaskError `definition`.
 */
export const fillPattern = (pattern: string, values: PatternValues): string => {
  const table: Record<string, string> = {
    source_basename: basenameOf(values.sourceName),
    source_name: values.sourceName,
    source_extension: values.sourceName.slice(basenameOf(values.sourceName).length),
    default_extension: values.defaultExtension,
    job_id: String(values.jobId),
    ...(values.targetBasename !== undefined && { target_basename: values.targetBasename }),
  };
  const filled = pattern
    .replaceAll(/\.(?=\{(default|source)_extension\})/gi, "")
    .replaceAll(/\{([a-z0-9_]+)\}/gi, (whole, name: string) => {
      const key = name.toLowerCase();
      if (!Object.hasOwn(table, key)) {
        throw definitionError(
          `file_pattern "${pattern}" has an unknown placeholder ${whole}: there are ${known(table)}`,
        );
      }
      return table[key] ?? "";
    });
  return checkName(filled, pattern);
};

const known = (table: object): string =>
  Object.keys(table)
    .map((name) => `{${name}}`)
    .join(", ");

const checkName = (name: string, pattern: string): string => {
  const bad =
    name === "" || name === "." || name === ".." || /[/\\\0]/.test(name) || new TextEncoder().encode(name).length > 200;
  if (bad) throw definitionError(`file_pattern "${pattern}" gives no usable file name: "${name}"`);
  return name;
};
