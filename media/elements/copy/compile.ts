import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { basenameOf, nameOf } from "../../../shared/files/location.ts";
import { placeOf } from "../../../shared/files/place.ts";
import type { Asset, AssetFile } from "../../../shared/model/asset.ts";
import type { Output, StepOf, Work } from "../../../shared/work/work.ts";
import type { PlanContext } from "../element.ts";
import type { CopyPayload } from "./schema.ts";

/** One output per file, or one for all files joined; the files of one asset stay one asset. */
export const compileCopy = (context: PlanContext<CopyPayload>): Work => {
  const { payload, inputs } = context;
  const { options } = payload;
  const chosen = options.multi_source_mode === "use_first" ? inputs.slice(0, 1) : inputs;
  const assets: Work["assets"] = {};
  const outputs: Work["outputs"] = {};
  const files: StepOf<"copy">["files"] = [];
  for (const [index, asset] of chosen.entries()) {
    const { version } = asset;
    for (const [part, file] of filesOf(asset).entries()) {
      const id = `${index}_${part}`;
      assets[id] = assetOf(file);
      if (options.multi_source_mode === "concatenate") continue;
      outputs[id] = outputOf(context, version, file);
      files.push({ from: [id], to: id });
    }
  }
  const first = chosen.find((asset) => filesOf(asset).length > 0);
  const [named] = first ? filesOf(first) : [];
  if (options.multi_source_mode === "concatenate" && first && named) {
    outputs.joined = outputOf(context, first.version, named);
    files.push({ from: Object.keys(assets), to: "joined" });
  }
  const { throttle_byte_per_sec: throttle, multi_file_concurrency: concurrency } = options;
  const after = deletesOf(options, inputs, chosen);
  return { assets, outputs, steps: [{ do: "copy", id: "copy", files, throttle, concurrency }], after };
};

/** The files of an asset, then its texts: what belongs to it comes along. */
export const filesOf = ({ files, sidecars = [] }: Asset): AssetFile[] => [
  ...files,
  ...sidecars.map(({ uri }) => ({ uri })),
];

const assetOf = ({ uri, pieces, size, modified }: AssetFile): Work["assets"][string] => {
  if (pieces) return { uri, pieces };
  return { uri, ...(size !== undefined && modified !== undefined && { looked: { size, modified } }) };
};

const outputOf = ({ uid, payload, job }: PlanContext<CopyPayload>, version: string, { uri }: AssetFile): Output => {
  const { target } = payload;
  const path = `${uid}.payload.target.location`;
  const sourceName = nameOf(uri);
  const extension = sourceName.slice(basenameOf(sourceName).length);
  const name = fillPattern(target.file_pattern, { sourceName, defaultExtension: extension, jobId: job.id });
  const place = placeOf(target.location, undefined, path);
  return { version, ...place, name, isSequence: false, existing: target.existing_files };
};

/** The copied inputs; with `delete_sources` also the omitted ones. */
const deletesOf = (
  { delete_sources, delete_source_on_completion }: CopyPayload["options"],
  inputs: readonly Asset[],
  chosen: readonly Asset[],
): Work["after"] => {
  if (!delete_sources && !delete_source_on_completion) return undefined;
  const files = (delete_sources ? inputs : chosen).flatMap(filesOf);
  return [{ do: "delete", id: "delete_sources", files: filesToDelete(files) }];
};

/** Files (joined ones by their parts), each once and only in the state in which they were probed. */
export const filesToDelete = (files: readonly AssetFile[]): StepOf<"delete">["files"] => {
  const all = files.flatMap(({ uri, size, modified, pieces }): StepOf<"delete">["files"] => {
    if (pieces) return pieces.map((piece) => ({ uri: piece.uri }));
    return [{ uri, size, modified }];
  });
  return all.filter(({ uri }, index) => all.findIndex((each) => each.uri === uri) === index);
};
