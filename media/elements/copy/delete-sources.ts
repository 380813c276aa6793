import type { Asset } from "../../../shared/model/asset.ts";
import type { Work } from "../../../shared/work/work.ts";
import { filesToDelete } from "./compile.ts";

/** Adds `options.delete_sources` to a task's work: the inputs are deleted once all outputs are published. */
export const deletingSources = (isAsked: boolean | undefined, inputs: readonly Asset[]): Pick<Work, "after"> =>
  isAsked
    ? { after: [{ do: "delete", id: "delete_sources", files: filesToDelete(inputs.flatMap(({ files }) => files)) }] }
    : {};
