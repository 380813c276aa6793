import type { PayloadConflict } from "../../element.ts";
import type { TranscodePayload } from "../schema.ts";
import { type Target, targetFields } from "../target-schema.ts";
import { audioRules, containerRules, type Rule, targetRules, timecodeRules, videoRules } from "./conflict-rules.ts";
import { impossiblePairs } from "./impossible-pairs.ts";
import { impossibleValues } from "./impossible-values.ts";

type Path = readonly PropertyKey[];
type Found = { readonly path: Path; readonly message: string };

/** All fields of the targets that contradict each other, whatever the source is. */
export const conflictsOfTranscode = ({ targets }: TranscodePayload): PayloadConflict[] => [
  ...repeatedUids(targets),
  ...targets.flatMap(impossiblePairs),
  ...targets.flatMap(impossibleValues),
  ...targets.flatMap((target, index) => {
    const isStrict = target.parameter_compliance === "strict";
    return conflictsOf(target).map(({ path, message }) => ({ path: ["targets", index, ...path], message, isStrict }));
  }),
];

/** The target without the fields that contradict it, which a relaxed one ignores. */
export const withoutConflicts = (written: Target): Target => {
  const conflicts = written.parameter_compliance === "strict" ? [] : conflictsOf(written);
  if (conflicts.length === 0) return written;
  const left = structuredClone(written);
  for (const { path } of conflicts) unset(left, path);
  return left;
};

/** A target that says nothing about any of its parts. */
const unsaid = targetFields.parse({ container: {}, video: {}, audio: [{}], timecode: [{}] });

/** Where a field has a default, this takes the place of what was said. */
const unset = (root: object, path: Path): void => {
  const field = path.at(-1);
  if (field === undefined) return;
  const usual = holderOf(
    unsaid,
    path.map((part) => (typeof part === "number" ? 0 : part)),
  )[field];
  if (usual === undefined) delete holderOf(root, path)[field];
  else holderOf(root, path)[field] = usual;
};

const holderOf = (root: object, path: Path): Record<PropertyKey, unknown> =>
  path.slice(0, -1).reduce<Record<PropertyKey, unknown>>((at, part) => Object(at[part]), Object(root));

/** Nobody could say which of the two is meant, so no target may be relaxed about it. */
const repeatedUids = (targets: readonly Target[]): PayloadConflict[] => {
  const known = new Set<string>();
  return targets.flatMap(({ uid }, index) => {
    const isNew = uid === undefined || !known.has(uid);
    if (uid !== undefined) known.add(uid);
    return isNew ? [] : [{ path: ["targets", index, "uid"], message: `"${uid}" is used twice`, isStrict: true }];
  });
};

const conflictsOf = (target: Target): Found[] => [
  ...clashes(targetRules, target, target, []),
  ...clashes(containerRules, target.container, target, ["container"]),
  ...clashes(videoRules, target.video, target, ["video"]),
  ...(target.audio ?? []).flatMap((audio, index) => clashes(audioRules, audio, target, ["audio", index])),
  ...(target.timecode ?? []).flatMap((track, index) => clashes(timecodeRules, track, target, ["timecode", index])),
  ...filterClashes(target),
];

/** One conflict for each field, by the first rule that matches. */
const clashes = <Part extends object>(
  rules: readonly Rule<Part>[],
  part: Part | undefined,
  target: Target,
  at: Path,
): Found[] => {
  if (part === undefined) return [];
  const found = new Map<string, Found>();
  for (const { fields, holds, why } of rules) {
    const set = fields.filter((field) => part[field] !== undefined && !found.has(field));
    if (set.length === 0 || !holds(part, target)) continue;
    for (const field of set) found.set(field, { path: [...at, field], message: why });
  }
  return [...found.values()];
};

const filterClashes = ({ video }: Target): Found[] =>
  (video?.filters ?? []).flatMap((filter, index): Found[] => {
    const at = ["video", "filters", index, "payload"];
    if (filter.kind === "print_timecode" && filter.payload.timecode_start_value !== undefined) {
      const isRead = filter.payload.timecode_source === "start_value";
      const message = "is for timecode_source start_value only";
      return isRead ? [] : [{ path: [...at, "timecode_start_value"], message }];
    }
    if (filter.kind === "deinterlace" && filter.payload.motion_compensation_quality !== undefined) {
      const message = "is for motion_compensation only";
      return filter.payload.motion_compensation ? [] : [{ path: [...at, "motion_compensation_quality"], message }];
    }
    return [];
  });
