import { basenameOf, decodeOnce } from "../../../../../shared/files/location.ts";
import { placeOf } from "../../../../../shared/files/place.ts";
import { capabilityError, definitionError } from "../../../../../shared/model/failure.ts";
import type { Output } from "../../../../../shared/work/work.ts";
import type { MediaAddress } from "../../../../formats/mp4/references.ts";
import { relativeUrl } from "../../../../formats/relative-url.ts";
import type { TargetRecipe } from "../../recipe.ts";
import type { TargetRequest } from "../../target-request.ts";
import type { Container } from "../container.ts";

type Place = Pick<TargetRecipe, "folder" | "name" | "existing" | "temp" | "object">;

/**
 * With `references_location`, the target's own file is a movie that refers to the media, which lie there under its name
 * with `_media`. Throws TaskError where the container has no such movies.
 */
export const referredOf = (
  { target, path }: Pick<TargetRequest, "target" | "path">,
  held: Container,
  place: Place,
): Partial<Pick<TargetRecipe, "folder" | "name" | "object" | "referred">> => {
  const { references_location: location, encryption } = target.container ?? {};
  if (!location || Object.keys(location).length === 0) return {};
  const at = `${path}.container.references_location`;
  const hasMovies = /^(mov|mp4|3gp)$/.test(held.muxer);
  if (held.isSegments || held.isPackage)
    throw capabilityError(
      `${at} is for movies: a package element puts segments apart from their playlists, with media_location`,
    );
  if (!hasMovies)
    throw capabilityError(`${at} is for mov, mp4 and 3gp: files of ${held.kinds[0]} refer to no media outside of them`);
  if (held.layout === "fragments" || /frag_|empty_moov|cmaf|dash/.test(target.container?.movflags ?? ""))
    throw definitionError(`${at}: fragments lie beside their media, use mov or mp4 without them`);
  if (encryption?.schema) throw definitionError(`${at}: media that are encrypted stay in their file`);
  const { folder, object } = placeOf(location, place.folder, at);
  const name = mediaName(place.name);
  const movie: Output = {
    ...{ version: `${target.uid}_movie`, folder: place.folder, name: place.name, isSequence: false },
    ...{ existing: place.existing, temp: place.temp, object: place.object },
  };
  return {
    folder,
    name,
    object,
    referred: { movie, address: addressOf({ from: place.folder, folder, name }, held, at) },
  };
};

const mediaName = (name: string): string => {
  const stem = basenameOf(name);
  return `${stem}_media${name.slice(stem.length)}`;
};

type Way = { readonly from: string; readonly folder: string; readonly name: string };

/** Players find the media by the way from the movie's folder, wherever both are mounted. */
const addressOf = ({ from, folder, name }: Way, { muxer }: Container, at: string): MediaAddress => {
  const way = relativeUrl(from, folder);
  if (way === undefined)
    throw definitionError(`${at} is on another storage than the target: a movie names its media from its own folder`);
  if (muxer !== "mov") return { form: "url", url: `${way}${encodeURIComponent(name)}` };
  const steps = way.split("/").filter((step) => step !== "");
  const up = steps.filter((step) => step === "..").length;
  const names = folder.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").split("/");
  return {
    ...{ form: "alias", up, down: [...steps.slice(up).map(decodeOnce), name] },
    path: [...names.filter((step) => step !== "").map(decodeOnce), name],
  };
};
