import { AppError } from "../../shared/basics/errors.ts";
import { type Narrowed, onlyGroups, onlyTags } from "../../shared/people/narrowed.ts";
import type { Role } from "../../shared/people/person.ts";
import { narrowedOf } from "../../shared/rights/narrowing.ts";
import type { NarrowedRow } from "../store/people.ts";

/** As it is stored, whether or not it holds for the person's role. */
export const readNarrowed = ({ only_tags, only_groups }: NarrowedRow): Narrowed => ({
  tags: onlyTags.parse(JSON.parse(only_tags)),
  groups: onlyGroups.parse(JSON.parse(only_groups)),
});

/** To what a session's role is narrowed; undefined: to nothing. */
export const narrowedIn = (role: Role, row: NarrowedRow): Narrowed | undefined => narrowedOf(role, readNarrowed(row));

type Given = {
  readonly only_tags?: readonly string[] | undefined;
  readonly only_groups?: readonly string[] | undefined;
};

/** What was given, as it is stored; what is absent stays absent. */
export const writeNarrowed = ({ only_tags, only_groups }: Given): Partial<NarrowedRow> => ({
  ...(only_tags && { only_tags: listText(only_tags) }),
  ...(only_groups && { only_groups: listText(only_groups) }),
});

const listText = (list: readonly string[]): string => JSON.stringify([...new Set(list)].sort());

/** Throws AppError VALIDATION_FAILED where somebody would be an owner and narrowed at once. */
export const refuseNarrowedOwner = (role: Role | undefined, { only_tags = [], only_groups = [] }: Given): void => {
  if (role !== "owner" || only_tags.length + only_groups.length === 0) return;
  const path = only_tags.length > 0 ? "only_tags" : "only_groups";
  const message = "must be empty for an owner, who decides on everybody's rights: choose another role";
  throw new AppError("VALIDATION_FAILED", `${path} ${message}`, { details: [{ path, message }] });
};
