import type { JobGroup, JobGroupCount } from "../../../shared/api/job-view.ts";

/** A group of the list as its table shows it: a heading, and below it the group's rows unless it is closed. */
export type Section = {
  readonly group: JobGroupCount;
  readonly isOpen: boolean;
  /** The place of the heading in the table. */
  readonly at: number;
  /** The place of its first job among all jobs. */
  readonly from: number;
};

export type Sections = { readonly list: readonly Section[]; readonly length: number };

/** Where headings and jobs stand in the table. */
export const groupIntoSections = (groups: readonly JobGroupCount[], closed: ReadonlySet<JobGroup>): Sections => {
  let [at, from] = [0, 0];
  const list = groups.map((group): Section => {
    const section = { group, isOpen: !closed.has(group.group), at, from };
    at += 1 + (section.isOpen ? group.count : 0);
    from += group.count;
    return section;
  });
  return { list, length: at };
};

export type Place = { readonly heading: Section } | { readonly job: number };

/** What stands at a place of the table: a heading, or the job with this number among all jobs. */
export const placeAt = ({ list }: Sections, index: number): Place => {
  const section = list.findLast(({ at }) => at <= index);
  if (!section) return { job: index };
  return section.at === index ? { heading: section } : { job: section.from + index - section.at - 1 };
};

/** The jobs between two places of the table: the first and the last of them. */
export const jobsBetween = (sections: Sections, first: number, last: number): readonly [number, number] => {
  const jobOf = (place: Place) => ("job" in place ? place.job : place.heading.from);
  return [jobOf(placeAt(sections, first)), jobOf(placeAt(sections, last))];
};
