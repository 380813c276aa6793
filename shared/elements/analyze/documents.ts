import type { Asset } from "../../asset.ts";
import { fillPattern } from "../../file-pattern.ts";
import { folderUri, type Location, nameOf } from "../../location.ts";
import { objectOptionsOf } from "../../object-options.ts";
import type { PlanContext } from "../element.ts";
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
    ...comparedBy(video).map((name) => ({ result: `video_${name}`, place: enabledAt(video, name)?.results_file })),
    ...sounds.map((asked, at) => ({ result: `audio_${at}`, place: enabledAt(asked, "loudness")?.results_file })),
  ];
  return wanted.flatMap(({ result, place }) => {
    const file = resultsFile(place);
    if (!file) return [];
    const path = `${uid}.payload ${result} results_file`;
    const folder = folderUri(file.location, undefined, path);
    const object = objectOptionsOf(file.location, path);
    const name = fillPattern(file.pattern ?? `{source_basename}_${result}.json`, {
      ...{ sourceName, defaultExtension: ".json", jobId: job.id },
    });
    const output = { version: result, folder, name, isSequence: false, existing: "replace" as const };
    return [{ output: { ...output, ...(object && { object }) }, results: [result] }];
  });
};

/** `{location, file_pattern}`, or only the location. */
const resultsFile = (value: unknown): { location: Location; pattern: string | undefined } | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  const { location = value as Location, file_pattern: pattern } = value as {
    location?: Location;
    file_pattern?: string;
  }; // by its schema
  return { location, pattern };
};
