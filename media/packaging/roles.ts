import type { TrackLayer, TrackRole } from "../../shared/model/layer.ts";

/** What a track is for, as DASH says it (`urn:mpeg:dash:role:2011`). */
const roles: Readonly<Record<TrackRole, string>> = {
  original: "main",
  dub: "dub",
  comment: "commentary",
  lyrics: "alternate",
  karaoke: "karaoke",
};

/** Sounds that only those want who ask for them: a player does not take them for the user's language. */
const asked: readonly TrackRole[] = ["comment", "lyrics", "karaoke"];

export const isOnlyAsked = ({ role }: TrackLayer): boolean => role !== undefined && asked.includes(role);

/** The role in a few letters, for names of tracks that have no other. */
export const roleWord = ({ role }: TrackLayer): string | undefined => role && roles[role];

/**
 * What a listener chooses between: two sounds of one language are the same choice, in several bit rates, only where role
 * and name are the same, or where the job puts them into one group.
 */
export const choiceOf = ({ language, role, group, name }: TrackLayer): string =>
  [language ?? "", role ?? "", group ?? name ?? ""].join("\n");

/** The roles of an adaptation set, by the tracks in it. */
export const rolesOf = (layers: readonly TrackLayer[]): string[] => [
  ...new Set(layers.flatMap(({ role, isDefault }) => [...(isDefault ? ["main"] : []), ...(role ? [roles[role]] : [])])),
];

/** What people read of an adaptation set: the name that its tracks share. */
export const labelOf = (layers: readonly TrackLayer[]): string | undefined => {
  const names = new Set(layers.map(({ name }) => name));
  const [only] = names;
  return names.size === 1 ? only : undefined;
};
