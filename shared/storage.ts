import { z } from "zod";

/** What a kind of storage can do, as far as showing finished files depends on it. */
export const abilityNames = {
  createOnly: "gives a file its name only if nothing has that name, in one step",
  atomicReplace: "puts a file in another one's place without a moment in which neither is there",
  showsWhole: "shows a file with all of its bytes or not at all",
  rename: "gives a file another name",
} as const;
export type Abilities = Readonly<Record<keyof typeof abilityNames, boolean>>;

/** What was promised less of than elsewhere, because the storage of a target lacks an ability. */
export const weaknesses = {
  may_overwrite: "a file that appeared under the name in the last moment would have been overwritten",
  gap: "while the file took the place of another one, for a moment neither was there",
  half_visible: "the file could be seen before all of its bytes were there",
} as const;
export type Weakness = keyof typeof weaknesses;

export const weakness = z.enum(Object.keys(weaknesses) as [Weakness, ...Weakness[]]); // Object.keys forgets the names

/** As a sentence for people. */
export const weaknessText = (each: Weakness): string => `Weaker guarantee: ${weaknesses[each]}`;
