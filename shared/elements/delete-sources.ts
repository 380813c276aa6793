import type { Asset } from "../asset.ts";
import type { Work } from "../work.ts";
import { filesToDelete } from "./copy/compile.ts";

/** What `options.delete_sources` adds to a task's work: what came in goes once all outputs are published. */
export const deletingSources = (isAsked: boolean | undefined, inputs: readonly Asset[]): Pick<Work, "after"> =>
  isAsked
    ? { after: [{ do: "delete", id: "delete_sources", files: filesToDelete(inputs.flatMap(({ files }) => files)) }] }
    : {};
