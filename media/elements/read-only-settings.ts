import type { Location } from "../../shared/files/location.ts";
import type { PayloadConflict } from "./element.ts";

const ofWritten = ["attributes", "permissions", "encryption"] as const;

/** What a location says of files that are written, where none are. */
export const onlyRead = (place: Location | undefined, path: readonly string[], why: string): PayloadConflict[] =>
  ofWritten.flatMap((field) =>
    place?.[field] === undefined ? [] : [{ path: [...path, field], message: why, isStrict: false }],
  );
