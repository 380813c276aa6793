import { TaskError } from "../../shared/causes.ts";
import type { ResolvedInput, ResolvedOutput, ResolvedPaths } from "../path-resolver.ts";

type Paths = { readonly paths: ResolvedPaths };

/** The input that a step names. Throws TaskError if the task does not have it. */
export const inputNamed = (id: string, { paths }: Paths): ResolvedInput => known(paths.inputs.get(id), `asset ${id}`);

/** The same for an output. */
export const outputNamed = (id: string, { paths }: Paths): ResolvedOutput =>
  known(paths.outputs.get(id), `output ${id}`);

/** What a step names. Throws TaskError if the task does not have it. */
export const known = <T>(found: T | undefined, what: string): T => {
  if (found === undefined) throw new TaskError("definition", `A step names ${what}, which the task does not have`);
  return found;
};
