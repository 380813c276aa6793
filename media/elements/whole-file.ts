import { nameOf } from "../../shared/files/location.ts";
import type { Asset, AssetFile } from "../../shared/model/asset.ts";
import { definitionError } from "../../shared/model/failure.ts";
import { mainVideo } from "../formats/stream-timing.ts";

/**
 * The files of an asset, for elements that wrap them unchanged. Throws TaskError for an excerpt or a composition, which
 * only a transcode can turn into a file.
 */
export const wholeFiles = (asset: Asset, uid: string): readonly AssetFile[] => {
  const why = alterationOf(asset);
  if (why === undefined) return asset.files;
  const name = nameOf(asset.files[0]?.uri ?? asset.version);
  throw definitionError(`${uid} takes whole files, and ${name} ${why}: transcode it first`);
};

const alterationOf = ({ files, range, sections = [], reading }: Asset): string | undefined => {
  if (range || sections.some(({ parts }) => parts.some((part) => part.range))) return "is cut";
  if (files.some(({ pieces, images }) => pieces ?? images)) return "is joined of parts";
  if (sections.length > 1 || sections.some(({ parts }) => parts.some((part) => part.generated)))
    return "is a sequence of parts";
  if (reading?.rate ?? reading?.fixedRate) return "is to have another frame rate";
  return sections.some((section) => !takesAll(section, files)) ? "is not to be taken with all its tracks" : undefined;
};

/** Every stream of the files is used whole. */
const takesAll = (
  { picture, sounds }: NonNullable<Asset["sections"]>[number],
  files: readonly AssetFile[],
): boolean => {
  const streams = files.flatMap(({ facts }) => facts?.audio ?? []).length;
  const hasPicture = files.some(({ facts }) => facts && mainVideo(facts));
  const areWhole = sounds?.every(({ from }) => from.length === 1 && from[0]?.channel === undefined) ?? true;
  return areWhole && (sounds?.length ?? streams) === streams && !(picture === "none" && hasPicture);
};
