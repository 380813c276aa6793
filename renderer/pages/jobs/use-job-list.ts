import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { UiJobRow } from "../../../shared/job-view.ts";
import { jobsPerPage } from "../../data/batch.ts";
import type { JobSelection } from "../../data/job-states.ts";
import { jobsQuery } from "../../data/queries.ts";

/** Rows beyond the sight that are read already: who scrolls finds them there. */
const ahead = jobsPerPage;
const pageOf = (row: number): number => Math.floor(Math.max(0, row) / jobsPerPage);

/** A list of any length of which only the pages in sight are read. */
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
  const rows = useMemo(() => {
    const list = new Array<UiJobRow | undefined>(count ?? 0); // with holes: it may be very long
    read.forEach((items, at) => {
      items?.forEach((row, index) => {
        const place = (pages[at] ?? 0) * jobsPerPage + index;
        if (place < list.length) list[place] = row;
      });
    });
    return list;
  }, [count, ...read]);
  const onSight = useCallback((first: number, last: number) => {
    const wanted = [pageOf(first - ahead), pageOf(Math.min(last + ahead, Math.max(last, ends.current - 1)))] as const;
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
