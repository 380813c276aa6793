import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { UiJobRow } from "../../../shared/job-view.ts";
import { jobsPerPage } from "../../data/batch.ts";
import type { JobSelection } from "../../data/job-states.ts";
import { jobsQuery } from "../../data/queries.ts";
import type { RowList } from "../../ui/table.tsx";

/** Rows beyond the sight that are read already: who scrolls finds them there; who scrolls fast, more of them. */
const ahead = jobsPerPage;
const framesAhead = 25;
const mostAhead = 4 * jobsPerPage;
const pageOf = (row: number): number => Math.floor(Math.max(0, row) / jobsPerPage);

/** A list that may be far longer than what is read of it. */
export type JobRows = RowList<UiJobRow> & {
  /** The rows that are read, in their order. */
  readonly read: () => readonly UiJobRow[];
};

/** A list of any length: only its visible pages are read. */
export const useJobList = (selection: JobSelection) => {
  const [sight, setSight] = useState<readonly [number, number]>([0, 0]);
  const ends = useRef(0);
  const pages = Array.from({ length: sight[1] - sight[0] + 1 }, (_, at) => sight[0] + at);
  const answers = useQueries({
    queries: pages.map((page) => ({ ...jobsQuery(selection, page), placeholderData: keepPreviousData })),
  });
  const count = answers.find(({ data }) => data)?.data?.count;
  ends.current = count ?? 0;
  const read = answers.map(({ data, isPlaceholderData }) => (isPlaceholderData ? undefined : data?.items));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is made of what the pages hold, however they came
  const rows = useMemo((): JobRows => {
    const list = pages.map((page, at) => [page, read[at]] as const);
    const byPage = new Map(list);
    return {
      length: count ?? 0,
      at: (index) => byPage.get(pageOf(index))?.[index % jobsPerPage],
      read: () => list.flatMap(([, items]) => items ?? []),
    };
  }, [count, ...read]);
  const before = useRef(0);
  const onSight = useCallback((first: number, last: number) => {
    const step = Math.max(-mostAhead, Math.min(mostAhead, framesAhead * (first - before.current)));
    before.current = first;
    const [up, down] = [ahead - Math.min(0, step), ahead + Math.max(0, step)];
    const wanted = [pageOf(first - up), pageOf(Math.min(last + down, Math.max(last, ends.current - 1)))] as const;
    setSight((old) => (old[0] === wanted[0] && old[1] === wanted[1] ? old : wanted));
  }, []);
  return {
    rows,
    count,
    onSight,
    error: answers.find(({ error, data }) => error && !data)?.error,
    again: () => {
      for (const { error, refetch } of answers) if (error) void refetch();
    },
  };
};
