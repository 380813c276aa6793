import type { MediaFacts } from "../../../../shared/model/asset.ts";
import { holds, type Scope } from "../../../expressions/evaluator.ts";
import { parseExpression } from "../../../expressions/parser.ts";
import type { Known } from "./scope.ts";

/** Whether to make a target, track or filter: the source has the part that it needs, and all conditions are true. */
export const isIncluded = (
  part: Readonly<Record<string, unknown>>,
  siblings: Scope,
  { scope, facts }: Known,
): boolean =>
  sourceHas(textsOf(part.include_if_source_has), facts) &&
  textsOf(part.include_conditions).every((text) => holds(parseExpression(text), { ...siblings, ...scope }));

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];

const sourceHas = (tracks: readonly string[], facts: MediaFacts): boolean =>
  tracks.every((track) => {
    const [, kind, index = "0"] = /^(\w+)(?:\[(\d+)\])?$/.exec(track) ?? [];
    return countOf(kind, facts) > Number(index);
  });

const countOf = (kind: string | undefined, { video, audio, others, timecode, timecodes }: MediaFacts): number => {
  if (kind === "video") return video.filter(({ isCover }) => !isCover).length;
  if (kind === "audio") return audio.length;
  if (kind === "timecode") return timecodes?.length ?? (timecode === undefined ? 0 : 1);
  return others.filter((stream) => stream.kind === kind).length;
};
