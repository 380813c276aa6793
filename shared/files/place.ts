import { folderUri, type Location } from "./location.ts";
import { type ObjectOptions, objectOptionsOf } from "./object-options.ts";

/** A folder, and what the location says of the files in it. */
export type Place = { readonly folder: string; readonly object: ObjectOptions | undefined };

/** Where the files of a location go; without one, into the parent. Throws TaskError. */
export const placeOf = (location: Location | undefined, parent: string | undefined, path: string): Place => ({
  folder: folderUri(location, parent, path),
  object: objectOptionsOf(location, path),
});
