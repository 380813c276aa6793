import type { AnyElement } from "./element.ts";
import * as kinds from "./kinds.ts";

export const elements: readonly AnyElement[] = Object.values(kinds);

const byKind = new Map(elements.map((element) => [element.kind, element]));

export const elementOf = (kind: string): AnyElement | undefined => byKind.get(kind);

/** Every kind that a valid job may name; those that this version cannot run fail when planned, in words. */
export const elementKinds: readonly string[] = [
  ...new Set([
    ...byKind.keys(),
    "analyze",
    "bif_creator",
    "delete_asset",
    "dolby_audio_encoder",
    "dolby_vision",
    "dpp_packager",
    "folder_enum",
    "notify",
    "package",
    "qc",
    "script",
    "source_provider",
    "watchfolder",
  ]),
];
