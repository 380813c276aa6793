import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import type { UiJob, UiTask } from "../../../shared/api/job-view.ts";
import { taskStateName } from "../../../shared/model/state-labels.ts";
import { paceOf } from "../../data/activity.ts";
import { totalOf } from "../../data/bars.ts";
import { useNow } from "../../data/link.ts";
import { jobTasksQuery, tasksPerPage } from "../../data/queries.ts";
import { stateWord } from "../../language/words.ts";
import { Meter } from "../../ui/charts/bar.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Chips } from "../../ui/controls/chip.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Table } from "../../ui/table/table.tsx";
import type { Column } from "../../ui/table/table-row.tsx";
import { number, percentage, timeTaken } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { NameWords, ReasonWords, Words } from "../../ui/text/words.tsx";
import { type JobPageSearch, type TaskFilter, taskFilters } from "./search.ts";
import css from "./tasks.module.css";

/** The style sheet turns it into a height: rows are taller where the panel is narrow. */
const rowsOf = (count: number) => ({ "--rows": count }) as CSSProperties; // which knows no properties of our own

/** Failed and running tasks come before waiting and completed ones. */
const rank: Record<TaskFilter, number> = { failed: 0, stopped: 1, running: 2, queued: 3, completed: 4 };

const filterOf = ({ status, cause }: UiTask): TaskFilter =>
  status === "failed" && cause === "cancelled" ? "stopped" : status;

type TaskPanelProps = {
  readonly view: UiJob;
  readonly search: JobPageSearch;
  readonly chosen: string | undefined;
  readonly onSearch: (change: JobPageSearch) => void;
};

/** The job's tasks; choosing one shows its log. */
export const TaskPanel = ({ view, search, chosen, onSearch }: TaskPanelProps) => {
  const now = useNow();
  const { tasks, task_counts: counts } = view;
  const total = totalOf(counts);
  const isCut = total > tasks.length;
  const paged = usePages(view, search, isCut);
  const rows = isCut ? paged.rows : tasksFor(search, tasks);
  return (
    <Panel
      title={t`Tasks`}
      className={css.panel}
      count={isCut ? t`${paged.words} of ${total}` : undefined}
      aid={
        <Chips<TaskFilter | "all">
          label={t`Tasks by state`}
          choices={[
            { key: "all", word: t`All`, count: total },
            ...taskFilters.map((key) => ({ key, word: stateWord(key), state: key, count: counts[key] })),
          ]}
          chosen={search.status ?? "all"}
          onChoose={(key) => onSearch({ status: key === "all" ? undefined : key })}
        />
      }
    >
      {search.element !== undefined && (
        <OnlyOf element={search.element} onAll={() => onSearch({ element: undefined })} />
      )}
      {isCut && <Turner page={paged.page} isLast={rows.length < tasksPerPage} onPage={paged.show} />}
      {rows.length === 0 ? (
        <Empty title={total === 0 ? t`No tasks yet: they are planned once the sources are known.` : t`No task here.`} />
      ) : (
        <div className={css.rows} style={rowsOf(rows.length)}>
          <Table<UiTask>
            label={t`Tasks`}
            columns={columnsOf(now)}
            layout={css.layout ?? ""}
            rows={rows}
            keyOf={({ id }) => id}
            // Where the panel is narrow, a row has several lines.
            isMeasured
            chosen={chosen ?? ""}
            onOpen={({ id }) => {
              onSearch({ task: id });
              document.getElementById("log")?.scrollIntoView({ block: "nearest" });
            }}
          />
        </div>
      )}
    </Panel>
  );
};

const tasksFor = ({ status, element }: JobPageSearch, tasks: readonly UiTask[]): UiTask[] =>
  tasks
    .filter((task) => status === undefined || filterOf(task) === status)
    .filter((task) => element === undefined || task.element_uid === element)
    .sort((a, b) => rank[filterOf(a)] - rank[filterOf(b)]);

const OnlyOf = ({ element, onAll }: { readonly element: string; readonly onAll: () => void }) => (
  <p className={css.filter}>
    <Trans>
      Only of <Words text={element} className={css.element} />
    </Trans>
    <Button look="quiet" onClick={onAll}>
      <Trans>Show all</Trans>
    </Button>
  </p>
);

type TurnerProps = { readonly page: number; readonly isLast: boolean; readonly onPage: (page: number) => void };

const Turner = ({ page, isLast, onPage }: TurnerProps) => (
  <p className={css.filter}>
    <Button look="quiet" disabled={page === 0} onClick={() => onPage(page - 1)}>
      <Trans>Earlier tasks</Trans>
    </Button>
    <Button look="quiet" disabled={isLast} onClick={() => onPage(page + 1)}>
      <Trans>Later tasks</Trans>
    </Button>
  </p>
);

/** If a job has more tasks than the page holds, the selected ones are requested, one page at a time. */
const usePages = ({ info }: UiJob, { element, status }: JobPageSearch, isCut: boolean) => {
  const choice = `${element} ${status}`;
  const [{ of, page }, turn] = useState({ of: choice, page: 0 });
  const shown = of === choice ? page : 0;
  const { data: rows = [] } = useQuery({
    ...jobTasksQuery(info.id, { element, status, page: shown }),
    enabled: isCut,
    refetchInterval: info.end_time === null ? 4000 : false,
    placeholderData: (before) => before,
  });
  const first = shown * tasksPerPage;
  return {
    rows,
    page: shown,
    show: (next: number) => turn({ of: choice, page: next }),
    words: rows.length === 0 ? t`none` : t`${first + 1} to ${first + rows.length}`,
  };
};

const columnsOf = (now: number): readonly Column<UiTask>[] => {
  const column = (key: string, title: string, cell: Column<UiTask>["cell"], align?: "end"): Column<UiTask> => ({
    key: css[key] ?? key,
    title,
    align,
    cell,
  });
  return [
    column("state", t`State`, (task) => <State state={taskStateName(task)} />),
    column("name", t`Task`, ({ name, kind, purpose, path }) => (
      <>
        {/* Runs of a batch have the same name: the number tells them apart, as in messages. */}
        <NameWords text={path === "" ? name : `${name}#${path}`} className={css.title} />
        <span className={css.kind}>{purpose === "facts" ? t`probe` : name.includes(kind) ? "" : kind}</span>
      </>
    )),
    column("node", t`Node`, ({ node }) => (node === null ? "–" : <Words text={node} />)),
    column("progress", t`Progress`, (task) =>
      task.status === "running" ? (
        <span className={css.meter}>
          <Meter percent={task.progress} label={t`Progress`} />
          {percentage(task.progress)}
        </span>
      ) : null,
    ),
    column("time", t`Time`, (task) => timeOf(task, now), "end"),
    column("word", t`Last message`, (task) =>
      task.error === null ? (
        <Words text={lastWord(task)} isOurs className={css.word} />
      ) : (
        <ReasonWords text={task.error} className={css.fault} />
      ),
    ),
  ];
};

const timeOf = ({ start_time, end_time, status }: UiTask, now: number): string => {
  if (start_time === null) return "–";
  const end = end_time === null ? (status === "running" ? now : undefined) : Date.parse(end_time);
  return end === undefined ? "–" : timeTaken(end - Date.parse(start_time));
};

const lastWord = ({ status, progress_detail: detail, losses, retry_nr }: UiTask): string => {
  const again = [retry_nr > 0 && t`retry ${retry_nr}`, losses > 0 && t`node lost ${losses}×`];
  const pace = status === "running" && [
    detail?.fps && t`${number(detail.fps, 1)} fps`,
    detail?.speed !== undefined && paceOf(detail.speed),
  ];
  return [...(pace || []), ...again].filter(Boolean).join(", ");
};
