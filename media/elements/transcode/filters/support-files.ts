import { folderUri, type Location, nameOf } from "../../../../shared/files/location.ts";
import type { Reference } from "../../../../shared/work/arguments.ts";
import type { Extras } from "./extras.ts";

/** Files that a job brings for its filters, by their names. */
export const stagedFiles = (files: readonly Location[], extras: Extras, path: string): ReadonlyMap<string, Reference> =>
  new Map(
    files.map((file, index) => {
      const uri = folderUri(file, undefined, `${path}[${index}]`);
      const name = nameOf(uri);
      const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? "";
      return [name, extras.stage({ uri }, extension)];
    }),
  );
