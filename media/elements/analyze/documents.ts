import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { folderUri, nameOf } from "../../../shared/files/location.ts";
import { objectOptionsOf } from "../../../shared/files/object-options.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import type { PlanContext } from "../element.ts";
import type { ResultsFile } from "../report/schema.ts";
import { type Asked, enabledAt } from "./branches.ts";
import { comparedBy } from "./compare.ts";
import type { AnalyzeRecipe } from "./recipe.ts";
import type { AnalyzePayload } from "./schema.ts";

/** Files of values that payloads request in addition to the result. */
export const documentsOf = (
  { job, uid }: PlanContext<AnalyzePayload>,
  video: Asked,
  sounds: readonly Asked[],
  { files }: Asset,
): AnalyzeRecipe["documents"] => {
  const sourceName = nameOf(files[0]?.uri ?? "");
  const wanted = [
    ...comparedBy(video).map((name) => ({ result: `video_${name}`, place: fileIn(enabledAt(video, name)) })),
    ...sounds.map((asked, at) => ({ result: `audio_${at}`, place: fileIn(enabledAt(asked, "loudness")) })),
  ];
  return wanted.flatMap(({ result, place }) => {
    if (!place) return [];
    const path = `${uid}.payload ${result} results_file`;
    const { folder, pattern = `{source_basename}_${result}.json` } = placeOf(place, path);
    const name = fillPattern(pattern, { sourceName, defaultExtension: ".json", jobId: job.id });
    const object = objectOptionsOf(place.location, path);
    const output = { version: result, folder, name, object, isSequence: false, existing: "replace" as const };
    return [{ output, results: [result] }];
  });
};

const placeOf = (place: ResultsFile, path: string): { folder: string; pattern: string | undefined } => {
  const { location, file_pattern: pattern } = place;
  const isFile = location?.url !== undefined && location.path === undefined && pattern === undefined;
  const uri = folderUri(location, undefined, path);
  return isFile ? { folder: uri.slice(0, uri.lastIndexOf("/")), pattern: nameOf(uri) } : { folder: uri, pattern };
};

const fileIn = (analysis: Readonly<Record<string, unknown>> | undefined): ResultsFile | undefined =>
  analysis?.results_file as ResultsFile | undefined; // by its schema
