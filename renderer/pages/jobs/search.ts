import { t } from "@lingui/core/macro";
import { type JobSort, jobSorts } from "../../../shared/api/job-view.ts";
import type { SavedView } from "../../../shared/people/saved-view.ts";
import { type JobSelection, type JobStateFilter, jobStateFilters } from "../../data/job-states.ts";
import { type JobColumn, jobColumnNames, usualColumns } from "./columns.tsx";

/** The list's settings are in the address, so that they can be bookmarked and shared. */
export type JobsSearch = JobSelection & {
  /** Names of columns with commas between. */
  readonly cols?: string;
};

export const jobsSearch = ({ state, owner, text, sort, order, flat, cols }: Record<string, unknown>): JobsSearch => ({
  state: jobStateFilters.find((each) => each === state),
  owner: typeof owner === "string" ? owner : undefined,
  text: text === undefined || text === "" ? undefined : String(text),
  sort: jobSorts.find((each) => each === sort),
  order: order === "asc" || order === "desc" ? order : undefined,
  flat: flat === true ? true : undefined,
  cols: typeof cols === "string" && cols !== "" ? cols : undefined,
});

export const columnsIn = ({ cols }: JobsSearch): readonly JobColumn[] => {
  const named = cols?.split(",").flatMap((name) => jobColumnNames.find((each) => each === name) ?? []);
  return named && named.length > 0 ? named : usualColumns;
};

/** Reverses the order of the same field; a new field starts with its more useful order. */
export const sortedBy = (search: JobsSearch, wanted: string): JobsSearch => {
  const sort = jobSorts.find((each) => each === wanted) ?? "attention";
  if (sort === "attention") return { ...search, sort: undefined, order: undefined };
  const first = startsUp.has(sort) ? "asc" : "desc";
  const order = search.sort === sort ? (search.order === "asc" ? "desc" : "asc") : first;
  return { ...search, sort, order };
};

const startsUp: ReadonlySet<JobSort> = new Set(["name", "user_tag", "owner"]);

/** Built-in views. */
export const shippedViews: readonly SavedView[] = [
  { page: "jobs", name: t`Everything`, search: {} },
  { page: "jobs", name: t`Standing still`, search: { state: "waiting" satisfies JobStateFilter } },
  { page: "jobs", name: t`Latest`, search: { sort: "id", order: "desc", flat: true } },
];

/** The jobs of the person who looks. */
export const ownView = (owner: string): SavedView => ({ page: "jobs", name: t`Mine`, search: { owner } });

/** Whether the page shows exactly this view. */
export const isView = (search: JobsSearch, view: SavedView): boolean => {
  const plain = (value: object) =>
    JSON.stringify(
      Object.entries(value)
        .filter(([key, each]) => each !== undefined && key !== "why")
        .sort(([a], [b]) => a.localeCompare(b)),
    );
  return plain(search) === plain(view.search);
};
