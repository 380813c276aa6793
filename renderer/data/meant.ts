import type { JobGroupCount } from "../../shared/api/job-view.ts";
import type { JobInfo } from "../../shared/model/job-info.ts";
import { argumentsOf, type JobSelection } from "./job-states.ts";

type Status = JobInfo["status"];
export type Named = Pick<JobInfo, "id">;

/** All jobs of a list, however many; `count` of them are meant, and no others that come later. */
export type Matching = {
  readonly matching: Pick<ReturnType<typeof argumentsOf>, "statuses" | "substatuses" | "owners" | "text"> & {
    readonly except: readonly string[];
  };
  readonly count: number;
};

/** The jobs that an action is for: some rows, or all that match. */
export type Meant = readonly Named[] | Matching;

const isMatching = (meant: Meant): meant is Matching => "matching" in meant;

export const countOf = (meant: Meant): number => (isMatching(meant) ? meant.count : meant.length);

/** The id of the only one, for its sentence. */
export const firstOf = (meant: Meant): string => (isMatching(meant) ? "" : (meant[0]?.id ?? ""));

/** How the request names them. */
export const namesOf = (meant: Meant) => {
  if (!isMatching(meant)) return { ids: meant.map(({ id }) => id) };
  const { statuses, substatuses, owners, text, except } = meant.matching;
  const matching = { statuses: [...statuses], substatuses: [...substatuses], owners: [...owners], text };
  return { matching: { ...matching, except: [...except] }, count: meant.count };
};

/** A whole list without some of its jobs. */
export type WholeList = {
  readonly selection: JobSelection;
  readonly groups: readonly JobGroupCount[];
  readonly except: readonly (Named & Pick<JobInfo, "status" | "substatus">)[];
};

/** The jobs of a list that have one of these states; without states all of them. */
export const matchingOf = ({ selection, groups, except }: WholeList, wanted?: readonly Status[]): Matching => {
  const { statuses: asked, substatuses, owners, text } = argumentsOf(selection);
  const isWanted = ({ status }: { readonly status: Status }) => wanted?.includes(status) ?? true;
  const statuses = asked.length === 0 ? [...(wanted ?? [])] : asked.filter((status) => isWanted({ status }));
  const all = groups.flatMap(({ states }) => states).filter(isWanted);
  const count = all.reduce((sum, each) => sum + each.count, 0) - except.filter(isWanted).length;
  return {
    matching: { statuses, substatuses, owners, text, except: except.map(({ id }) => id) },
    count: Math.max(0, count),
  };
};

/** Whether every open job of the list is held. */
export const areHeld = ({ groups }: Pick<WholeList, "groups">): boolean =>
  groups.every(({ group }) => group !== "active");
