import { z } from "zod";

const listed = (most: number) => z.array(z.string().trim().min(1).max(most)).max(50);

/** Whoever has tags or compute groups here changes only nodes and jobs with these tags, or with tags that the groups provide. */
export const onlyTags = listed(100).describe("Narrows the role to nodes and jobs with one of these tags");
export const onlyGroups = listed(200).describe("Narrows the role to the tags that these compute groups provide");

/** To what somebody's role is narrowed. */
export type Narrowed = { readonly tags: readonly string[]; readonly groups: readonly string[] };
