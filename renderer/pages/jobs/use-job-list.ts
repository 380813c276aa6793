import { keepPreviousData, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { JobGroup, UiJobRow } from "../../../shared/api/job-view.ts";
import { type JobPage, jobsPerPage } from "../../data/batch.ts";
import type { JobSelection } from "../../data/job-states.ts";
import { jobsQuery } from "../../data/queries.ts";
import type { RowList } from "../../ui/table/table-props.ts";
import { groupIntoSections, jobsBetween, placeAt, type Sections } from "./sections.ts";

/** Rows beyond the sight that are read already: who scrolls finds them there; who scrolls fast, more of them. */
const ahead = jobsPerPage;
const framesAhead = 25;
const mostAhead = 4 * jobsPerPage;
const pageOf = (row: number): number => Math.floor(Math.max(0, row) / jobsPerPage);

/** A list that may be far longer than what is read of it; headings stand between its jobs. */
export type JobRows = RowList<UiJobRow> & {
  readonly sections: Sections;
  /** The rows that are read, in their order. */
  readonly read: () => readonly UiJobRow[];
  /** The jobs between two places of the table, both of them included: those that are not read yet are read now. */
  readonly between: (from: number, to: number) => Promise<readonly UiJobRow[]>;
};

/** So many rows one range may have: each hundred that is not read yet costs a request. */
const mostInRange = 10_000;

/** A list of any length: only its visible pages are read. */
export const useJobList = (selection: JobSelection, closed: ReadonlySet<JobGroup>) => {
  const queries = useQueryClient();
  const [sight, setSight] = useState<readonly [number, number]>([0, 0]);
  const ends = useRef(0);
  const pages = Array.from({ length: sight[1] - sight[0] + 1 }, (_, at) => sight[0] + at);
  const answers = useQueries({
    queries: pages.map((page) => ({ ...jobsQuery(selection, page), placeholderData: keepPreviousData })),
  });
  const { count, groups } = useLastFound(selection, answers.find(({ data }) => data)?.data) ?? {};
  ends.current = count ?? 0;
  // Each answer carries groups of its own, which are mostly the same.
  const sizes = JSON.stringify(selection.flat ? [] : (groups ?? []));
  const sections = useMemo(() => groupIntoSections(JSON.parse(sizes), closed), [sizes, closed]);
  const read = answers.map(({ data, isPlaceholderData }) => (isPlaceholderData ? undefined : data?.items));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is made of what the pages hold, however they came
  const rows = useMemo((): JobRows => {
    const list = pages.map((page, at) => [page, read[at]] as const);
    const byPage = new Map(list);
    const jobAt = (job: number) => byPage.get(pageOf(job))?.[job % jobsPerPage];
    return {
      sections,
      length: sections.list.length === 0 ? (count ?? 0) : sections.length,
      at: (index) => {
        const place = placeAt(sections, index);
        return "job" in place ? jobAt(place.job) : undefined;
      },
      read: () => list.flatMap(([, items]) => items ?? []),
      between: async (from, to) => {
        const places = Array.from({ length: Math.min(mostInRange, to - from + 1) }, (_, at) =>
          placeAt(sections, from + at),
        );
        const jobs = places.flatMap((place) => ("job" in place ? [place.job] : []));
        const wanted = [...new Set(jobs.map(pageOf))];
        const fetched = await Promise.all(
          wanted.map(
            async (page) => byPage.get(page) ?? (await queries.ensureQueryData(jobsQuery(selection, page))).items,
          ),
        );
        const found = new Map(wanted.map((page, at) => [page, fetched[at]]));
        return jobs.flatMap((job) => found.get(pageOf(job))?.[job % jobsPerPage] ?? []);
      },
    };
  }, [count, sections, selection, queries, ...read]);
  const placed = useRef(sections);
  placed.current = sections;
  const before = useRef(0);
  const onSight = useCallback((from: number, to: number) => {
    const [first, last] = jobsBetween(placed.current, from, to);
    const step = Math.max(-mostAhead, Math.min(mostAhead, framesAhead * (first - before.current)));
    before.current = first;
    const [up, down] = [ahead - Math.min(0, step), ahead + Math.max(0, step)];
    const wanted = [pageOf(first - up), pageOf(Math.min(last + down, Math.max(last, ends.current - 1)))] as const;
    setSight((old) => (old[0] === wanted[0] && old[1] === wanted[1] ? old : wanted));
  }, []);
  return {
    rows,
    count,
    groups: groups ?? noGroups,
    onSight,
    error: answers.find(({ error, data }) => error && !data)?.error,
    again: () => {
      for (const { error, refetch } of answers) if (error) void refetch();
    },
  };
};

const noGroups: JobPage["groups"] = [];

/** Somebody who jumps to pages that are not read yet stays in the list: its length is the one last found. */
const useLastFound = (selection: JobSelection, found: JobPage | undefined): JobPage | undefined => {
  const last = useRef<{ readonly selection: JobSelection; readonly found: JobPage }>(undefined);
  if (found) last.current = { selection, found };
  return last.current?.selection === selection ? last.current.found : undefined;
};
