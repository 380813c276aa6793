import { definitionError } from "../../shared/model/failure.ts";
import type { ResolvedInput, ResolvedOutput, ResolvedPaths } from "../paths/resolved-paths.ts";

type Paths = { readonly paths: ResolvedPaths };

/** The input that a step names. Throws TaskError if the task does not have it. */
export const inputNamed = (id: string, { paths }: Paths): ResolvedInput =>
  requireNamed(paths.inputs.get(id), `asset ${id}`);

/** The same for an output. */
export const outputNamed = (id: string, { paths }: Paths): ResolvedOutput =>
  requireNamed(paths.outputs.get(id), `output ${id}`);

/** What a step names. Throws TaskError if the task does not have it. */
export const requireNamed = <T>(found: T | undefined, what: string): T => {
  if (found === undefined) throw definitionError(`A step names ${what}, which the task does not have`);
  return found;
};
