import type { Narrowed } from "../people/narrowed.ts";
import type { Role } from "../people/person.ts";
import type { Action, Right, RightObject } from "./rights.ts";

/** Nodes and jobs with which tags somebody may change; `all`: their role is not narrowed. */
export type Within = "all" | ReadonlySet<string>;

/** What somebody may change whose role is narrowed: all that their role allows, what carries one of their tags, or nothing. */
export type Breadth = "all" | "tagged" | "nothing";

/**
 * Nodes and jobs carry tags, and a session is somebody's own. All else is shared by the whole farm: who is narrowed to a part
 * of it leaves it as it is.
 */
const changes: Readonly<Record<RightObject, Breadth>> = {
  job: "tagged",
  task: "tagged",
  jobs: "tagged",
  node: "tagged",
  session: "all",
  interface: "all",
  preset: "nothing",
  presets: "nothing",
  settings: "nothing",
  mounts: "nothing",
  vault: "nothing",
  account: "nothing",
  people: "nothing",
  files: "nothing",
  webhooks: "nothing",
};

/** Whoever is narrowed sees what their role sees: the queue is one, and says whose work comes first. */
export const breadthOf = ({ object, action }: { readonly object: RightObject; readonly action: Action }): Breadth =>
  action === "read" ? "all" : changes[object];

/** Owners act on everything: they could widen what holds them. Undefined: not narrowed. */
export const narrowedOf = (role: Role, { tags, groups }: Narrowed): Narrowed | undefined =>
  role === "owner" || tags.length + groups.length === 0 ? undefined : { tags, groups };

/** A compute group stands for the tags that it provides now; one that is gone stands for none. */
export const withinOf = (
  narrowed: Narrowed | undefined,
  providedBy: (group: string) => readonly string[] | undefined,
): Within =>
  narrowed === undefined
    ? "all"
    : new Set([...narrowed.tags, ...narrowed.groups.flatMap((group) => providedBy(group) ?? [])]);

/** Whether something with these tags is among what somebody may change. */
export const isWithin = (within: Within, tags: readonly string[]): boolean =>
  within === "all" || tags.some((tag) => within.has(tag));

/** `a, b`, for sentences about what somebody may change. */
export const withinWords = (within: ReadonlySet<string>): string =>
  within.size === 0 ? "none, as your compute groups provide none" : [...within].sort().join(", ");

/** Of a call that changes a node: tags and groups decide on rights, so whoever is narrowed leaves them as they are. */
export const retags = (change: object): boolean =>
  ["tags", "group"].some((field) => (change as Readonly<Record<string, unknown>>)[field] !== undefined);

/** What somebody who is narrowed is told of a call that is for others. */
export const narrowRefusal = ({ object }: Pick<Right, "object">): string =>
  `Your role is narrowed to tags, and this (${object}) belongs to the whole farm: ask somebody whose role is not narrowed`;
