import type { ObjectOptions } from "../../../shared/files/object-options.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { Output } from "../../../shared/work/work.ts";
import type { PackagingContext, PackagingSteps } from "./packaging.ts";
import type { PackageRecipe } from "./recipe.ts";

/** Media first, then keys and playlists, then the manifests that name them all. */
export const buildOutputs = (making: PackagingContext, made: PackagingSteps): PackageRecipe["outputs"] => {
  const { context, places, kinds } = making;
  const { uid, payload } = context;
  const { objects } = places;
  const main = payload.uid ?? "main_manifest";
  const outputs = [
    ...made.media.map((name) => [`media_${name}`, output(`${uid}_media`, places.media, name, objects.media)] as const),
    ...made.keys.map(
      ({ name, folder, object }) => [`key_${name}`, output(`${uid}_key`, folder, name, object)] as const,
    ),
    ...playlistNames(making, made).map(
      (name) => [`playlist_${name}`, output(`${uid}_playlists`, places.playlists, name, objects.playlists)] as const,
    ),
    ...(made.mpd ? [["dash", output(main, places.dash.folder, places.dash.name, objects.dash)] as const] : []),
    ...(kinds.includes("smooth")
      ? [
          ["smooth_client", output(main, places.smooth.folder, places.smooth.client, objects.smooth)] as const,
          ["smooth", output(main, places.smooth.folder, places.smooth.server, objects.smooth)] as const,
        ]
      : []),
    ...(kinds.includes("hls") ? [["hls", output(main, places.hls.folder, places.hls.name, objects.hls)] as const] : []),
  ];
  refuseSamePlace(outputs, uid);
  return outputs;
};

const output = (version: string, folder: string, name: string, object: ObjectOptions | undefined): Output => ({
  ...{ version, folder, name, isSequence: /%0?\d*d/.test(name), existing: "replace", object },
});

/** HLS: a playlist for each rendition that has media of its own, and the playlists of key frames. */
export const playlistNames = (
  { renditions, kinds, names }: PackagingContext,
  { hasIframes, withPicture }: PackagingSteps,
): string[] => {
  if (!kinds.includes("hls")) return [];
  const mixed = new Set(renditions.flatMap((each) => (each.kind === "video" ? (withPicture(each) ?? []) : [])));
  return renditions
    .filter((each) => each.kind !== "audio" || !mixed.has(each))
    .flatMap((each) => [names(each).playlist, ...(hasIframes(each) ? [names(each).iframes] : [])]);
};

/** A master playlist may not have the address of a playlist that it names. */
const refuseSamePlace = (outputs: PackageRecipe["outputs"], uid: string): void => {
  const places = outputs.map(([, { folder, name }]) => `${folder}/${name}`);
  const twice = outputs.find((_, at) => places.indexOf(places[at] ?? "") !== at);
  if (twice) throw definitionError(`${uid}: two files of the package would both be ${twice[1].name}`);
};
