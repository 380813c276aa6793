import { fillPattern } from "../../file-pattern.ts";
import { basenameOf, folderUri, nameOf } from "../../location.ts";
import type { Work } from "../../work.ts";
import type { PlanContext } from "../element.ts";
import type { CopyPayload } from "./schema.ts";

/** One copy step and one output a file; the files of one asset stay one asset. */
export const compileCopy = ({ uid, payload, inputs, job }: PlanContext<CopyPayload>): Work => {
  const { target, options } = payload;
  const folder = folderUri(target.location, undefined, `${uid}.payload.target.location`);
  const chosen = options.multi_source_mode === "use_first" ? inputs.slice(0, 1) : inputs;
  const work: Work = { assets: {}, outputs: {}, steps: [] };
  for (const [index, { version, files }] of chosen.entries()) {
    for (const [part, file] of files.entries()) {
      const id = `${index}_${part}`;
      const sourceName = nameOf(file.uri);
      const extension = sourceName.slice(basenameOf(sourceName).length);
      const name = fillPattern(target.file_pattern, { sourceName, defaultExtension: extension, jobId: job.id });
      work.assets[id] = { uri: file.uri };
      work.outputs[id] = { version, folder, name, isSequence: false, existing: target.existing_files };
      work.steps.push({ do: "copy", id: `copy_${id}`, from: id, to: id });
    }
  }
  return work;
};
