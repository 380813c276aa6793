import { copy } from "./copy/index.ts";
import type { AnyElement } from "./element.ts";
import { source } from "./source/index.ts";
import { transcode } from "./transcode/index.ts";

/** Every element kind. A new kind is one folder and one line here. */
export const elements: readonly AnyElement[] = [copy, source, transcode];

const byKind = new Map(elements.map((element) => [element.kind, element]));

export const elementOf = (kind: string): AnyElement | undefined => byKind.get(kind);

/** Kinds that a valid job may name although this version cannot run them: they fail when planned, in words. */
export const kindsToCome = [
  "analyze",
  "qc",
  "notify",
  "package",
  "folder_enum",
  "watchfolder",
  "dpp_packager",
  "bif_creator",
  "script",
  "delete_asset",
  "source_provider",
  "dolby_audio_encoder",
  "dolby_vision",
] as const;
