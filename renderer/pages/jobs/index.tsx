import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf } from "../../../shared/errors.ts";
import type { UiJobRow } from "../../../shared/job-view.ts";
import { jobStateName, states } from "../../../shared/state/labels.ts";
import { systemClock } from "../../../shared/system-clock.ts";
import { useActions } from "../../data/actions.ts";
import {
  type JobGroup,
  type JobSelection,
  type JobStateFilter,
  jobGroupNames,
  jobGroups,
  jobStateFilters,
  jobStates,
} from "../../data/job-states.ts";
import { useNow } from "../../data/link.ts";
import { jobCountsQuery, jobsQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Chips } from "../../ui/chip.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import fieldCss from "../../ui/field.module.css";
import { useKeys } from "../../ui/keys.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { deleteQuestion, stopQuestion } from "../../ui/questions.ts";
import { Table } from "../../ui/table.tsx";
import { TablePanel } from "../../ui/table-panel.tsx";
import { columnsOf } from "./columns.tsx";
import css from "./jobs.module.css";

type Search = { readonly state?: JobStateFilter; readonly text?: string };

/** The filter stands in the address, so that it can be kept and sent. */
export const jobsSearch = ({ state, text }: Record<string, unknown>): Search => ({
  state: jobStateFilters.find((each) => each === state),
  text: text === undefined || text === "" ? undefined : String(text),
});

type Row = { readonly heading: JobGroup } | UiJobRow;
const route = getRouteApi("/inside/jobs");

/** Which jobs there are, which stand still, and why. */
export const JobsPage = () => {
  const { state, text }: Search = route.useSearch();
  const navigate = useNavigate();
  const actions = useActions();
  const mayChange = useMay("operator");
  const now = useNow();
  const [current, setCurrent] = useState<UiJobRow>();
  const [question, setQuestion] = useState<"stop" | "delete">();
  const groups = useGroups({ state, text });
  const rows: readonly Row[] = groups.rows;
  const job = current && groups.jobs.find(({ id }) => id === current.id);
  const open = (row: Row) =>
    "id" in row && void navigate({ to: "/jobs/$jobId", params: { jobId: row.id }, search: {} });
  const onFocusRow = useCallback((row: Row) => setCurrent("id" in row ? row : undefined), []);

  const change = (step: number) => () => void (job?.end_time === null && actions.addPriority(job, step));
  useKeys(
    mayChange
      ? [
          { keys: "x", word: "Stop the row's job…", run: () => job?.end_time === null && setQuestion("stop") },
          { keys: "Delete", word: "Delete the row's job…", run: () => job && setQuestion("delete") },
          { keys: "+", word: "Priority up by 1", run: change(1) },
          { keys: "-", word: "Priority down by 1", run: change(-1) },
        ]
      : [],
  );

  return (
    <Page title="Jobs" fills actions={<SearchBox text={text} />}>
      <StateChips state={state} />
      <TablePanel label="List of jobs">
        {groups.error && (
          <Notice tone="failed" action={<Button onClick={groups.again}>Try again</Button>}>
            {messageOf(groups.error)}
          </Notice>
        )}
        {groups.isLoading && <Loading what="jobs" rows={8} />}
        {groups.isEmpty && <NoJobs state={state} text={text} />}
        {rows.length > 0 && (
          <Table<Row>
            label="Jobs"
            columns={columnsOf(now)}
            layout={css.layout ?? ""}
            rows={rows}
            keyOf={(row) => ("id" in row ? row.id : row.heading)}
            heading={(row) => ("id" in row ? undefined : <GroupTitle group={row.heading} />)}
            chosen={job?.id ?? ""}
            onOpen={open}
            onFocusRow={onFocusRow}
            onEnd={groups.more}
          />
        )}
        {job && mayChange && (
          <div className={css.selection}>
            <b className={css.which}>
              Job {job.id} · {states[jobStateName(job)].word}
            </b>
            <Button hint="Enter" onClick={() => open(job)}>
              Open
            </Button>
            {job.end_time === null && (
              <>
                <span className={css.group}>
                  Priority {job.priority}
                  <Button aria-label="Priority up by 1" onClick={change(1)}>
                    +
                  </Button>
                  <Button aria-label="Priority down by 1" onClick={change(-1)}>
                    −
                  </Button>
                </span>
                <Button hint="x" onClick={() => setQuestion("stop")}>
                  Stop…
                </Button>
              </>
            )}
            <Button hint="Del" onClick={() => setQuestion("delete")}>
              Delete…
            </Button>
          </div>
        )}
      </TablePanel>
      {job && (
        <>
          <Confirm
            {...stopQuestion(job)}
            isOpen={question === "stop"}
            onClose={() => setQuestion(undefined)}
            onGo={() => void actions.stop(job)}
          />
          <Confirm
            {...deleteQuestion(job)}
            isOpen={question === "delete"}
            onClose={() => setQuestion(undefined)}
            onGo={() => void actions.remove(job)}
          />
        </>
      )}
    </Page>
  );
};

/** The three groups as one list of rows with headings; a filter by state leaves one of them. */
const useGroups = ({ state, text }: Search) => {
  const isWanted = (group: JobGroup) => {
    const wanted: readonly string[] = state ? jobStates[state].statuses : jobGroups[group].statuses;
    return jobGroups[group].statuses.some((status) => wanted.includes(status));
  };
  const lists = {
    active: useGroup({ group: "active", state, text }, isWanted("active")),
    queued: useGroup({ group: "queued", state, text }, isWanted("queued")),
    ended: useGroup({ group: "ended", state, text }, isWanted("ended")),
  };
  const wanted = jobGroupNames.filter(isWanted);
  // Below a group that can still grow nothing is shown: rows must not move while somebody reads.
  const growing = wanted.find((group) => lists[group].query.hasNextPage);
  const shown = growing ? wanted.slice(0, wanted.indexOf(growing) + 1) : wanted;
  const rows = shown.flatMap((group): Row[] => {
    const { jobs } = lists[group];
    return jobs.length === 0 ? [] : [{ heading: group }, ...jobs];
  });
  const queries = wanted.map((group) => lists[group].query);
  const growingQuery = growing && lists[growing].query;
  const more = () => {
    if (growingQuery && !growingQuery.isFetchingNextPage) void growingQuery.fetchNextPage();
  };
  return {
    rows,
    jobs: wanted.flatMap((group) => lists[group].jobs),
    error: queries.find(({ error, data }) => error && !data)?.error,
    again: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
    isLoading: rows.length === 0 && queries.some(({ isPending }) => isPending),
    isEmpty: rows.length === 0 && queries.every(({ isSuccess }) => isSuccess),
    more,
  };
};

const useGroup = (selection: JobSelection, enabled: boolean) => {
  const query = useInfiniteQuery({ ...jobsQuery(selection), enabled });
  const seen = new Set<string>();
  // Rows move down while pages are loaded, so a job may come twice.
  const jobs = (query.data?.pages.flat() ?? []).filter(({ id }) => !seen.has(id) && seen.add(id));
  return { query, jobs };
};

const GroupTitle = ({ group }: { readonly group: JobGroup }) => {
  const { data: counts = [] } = useQuery(jobCountsQuery);
  const statuses: readonly string[] = jobGroups[group].statuses;
  const count = counts.filter(({ status }) => statuses.includes(status)).reduce((sum, each) => sum + each.count, 0);
  return (
    <h2 className={css.heading}>
      {jobGroups[group].title} <span>{count}</span>
    </h2>
  );
};

const StateChips = ({ state }: { readonly state: JobStateFilter | undefined }) => {
  const navigate = useNavigate();
  const { data: counts } = useQuery(jobCountsQuery);
  const countOf = (wanted?: JobStateFilter) =>
    counts
      ?.filter((each) => wanted === undefined || jobStateName(each) === wanted)
      .reduce((sum, { count }) => sum + count, 0);
  return (
    <Chips<JobStateFilter | "all">
      label="Jobs by state"
      choices={[
        { key: "all", word: "All", count: countOf() },
        ...jobStateFilters.map((key) => ({ key, word: states[key].word, state: key, count: countOf(key) })),
      ]}
      chosen={state ?? "all"}
      onChoose={(key) =>
        void navigate({ to: "/jobs", search: (old: Search) => ({ ...old, state: key === "all" ? undefined : key }) })
      }
    />
  );
};

const typingMs = 250;

const SearchBox = ({ text }: { readonly text: string | undefined }) => {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text ?? "");
  useEffect(() => setTyped(text ?? ""), [text]);
  useEffect(() => {
    if (typed === (text ?? "")) return;
    return systemClock.after(
      typingMs,
      () =>
        void navigate({ to: "/jobs", search: (old: Search) => ({ ...old, text: typed || undefined }), replace: true }),
    );
  }, [typed, text, navigate]);
  useKeys([{ keys: "/", word: "Search jobs", run: () => input.current?.focus() }]);
  return (
    <input
      ref={input}
      type="search"
      className={`${fieldCss.input} ${css.search}`}
      dir="auto"
      aria-label="Search by name, tag or id"
      placeholder="Name, tag, id  ( / )"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
};

const NoJobs = ({ state, text }: Search) => {
  const maySubmit = useMay("operator");
  if (state === undefined && text === undefined) {
    return (
      <Empty title="No jobs yet.">
        <p>{maySubmit ? "Send one to the API, or submit one here." : "An operator can submit one."}</p>
        {maySubmit && <Link to="/submit">Submit a job</Link>}
      </Empty>
    );
  }
  const filter = [state && `is ${states[state].word}`, text && `has “${text.slice(0, 80)}” in its name, tag or id`];
  return (
    <Empty title={`No job ${filter.filter(Boolean).join(" and ")}.`}>
      <Link to="/jobs" search={{}}>
        Clear the filter
      </Link>
    </Empty>
  );
};
