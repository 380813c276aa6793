import type { Power } from "../people/scopes.ts";

/** Whose something is; it never changes. Both null: nobody's, as everything from before there were owners. */
export type Owned = {
  /** Stable, unlike a name: `api user 12`, `person 3`. */
  readonly owner_id: string | null;
  /** The group that its owner had then. */
  readonly owner_group: string | null;
};

export const nobodys: Owned = { owner_id: null, owner_group: null };

/** Whose objects somebody reaches: all, or those with one owner or one group. */
export type Reach = "all" | { readonly field: keyof Owned; readonly value: string };

export const reaches = (reach: Reach, owned: Owned | undefined): boolean =>
  reach === "all" || owned?.[reach.field] === reach.value;

/**
 * Whether somebody may see the secrets within something: whoever sent it, and nobody else, however far they reach.
 * What is nobody's shows its secrets to nobody.
 */
export const maySeeSecrets = ({ owner_id: who }: Owned, owned: Owned): boolean =>
  who !== null && who === owned.owner_id;

/** Whoever reaches a group reaches their own as well: everything of theirs has their group. */
export const reachOf = (who: string, { reach, group }: Pick<Power, "reach" | "group">): Reach => {
  if (reach === "all") return "all";
  if (reach === "group" && group !== null) return { field: "owner_group", value: group };
  return { field: "owner_id", value: who };
};
