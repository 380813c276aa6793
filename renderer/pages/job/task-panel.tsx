import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import type { UiJob, UiTask } from "../../../shared/job-view.ts";
import { taskStateName } from "../../../shared/state/labels.ts";
import { useNow } from "../../data/link.ts";
import { jobTasksQuery, tasksPerPage } from "../../data/queries.ts";
import { stateWord } from "../../language/words.ts";
import { Meter } from "../../ui/bar.tsx";
import { Button } from "../../ui/button.tsx";
import { Chips } from "../../ui/chip.tsx";
import { number, percentage, timeTaken } from "../../ui/format.ts";
import { Empty } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { State } from "../../ui/state.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table-row.tsx";
import { Words } from "../../ui/words.tsx";
import { type JobPageSearch, type TaskFilter, taskFilters } from "./search.ts";
import css from "./tasks.module.css";

/** The style sheet turns it into a height: rows are taller where the panel is narrow. */
const rowsOf = (count: number) => ({ "--rows": count }) as CSSProperties; // which knows no properties of our own

/** Failed and running tasks come before waiting and completed ones. */
const rank: Record<TaskFilter, number> = { failed: 0, running: 1, queued: 2, completed: 3 };

/** The job's tasks; choosing one shows its log. */
export const TaskPanel = ({
  view,
  search,
  chosen,
  onSearch,
}: {
  readonly view: UiJob;
  readonly search: JobPageSearch;
  readonly chosen: string | undefined;
  readonly onSearch: (change: JobPageSearch) => void;
}) => {
  const now = useNow();
  const { tasks, task_counts: counts } = view;
  const total = counts.queued + counts.running + counts.completed + counts.failed;
  const { status, element } = search;
  const isCut = total > tasks.length;
  const paged = usePages(view, search, isCut);
  const held = tasks
    .filter((task) => status === undefined || task.status === status)
    .filter((task) => element === undefined || task.element_uid === element)
    .sort((a, b) => rank[a.status] - rank[b.status]);
  const rows = isCut ? paged.rows : held;
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
          chosen={status ?? "all"}
          onChoose={(key) => onSearch({ status: key === "all" ? undefined : key })}
        />
      }
    >
      {element !== undefined && (
        <p className={css.filter}>
          <Trans>
            Only of <Words text={element} className={css.element} />
          </Trans>
          <Button look="quiet" onClick={() => onSearch({ element: undefined })}>
            <Trans>Show all</Trans>
          </Button>
        </p>
      )}
      {isCut && (
        <p className={css.filter}>
          <Button look="quiet" disabled={paged.page === 0} onClick={() => paged.show(paged.page - 1)}>
            <Trans>Earlier tasks</Trans>
          </Button>
          <Button look="quiet" disabled={rows.length < tasksPerPage} onClick={() => paged.show(paged.page + 1)}>
            <Trans>Later tasks</Trans>
          </Button>
        </p>
      )}
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
        <Words text={path === "" ? name : `${name}#${path}`} className={css.title} />
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
    column("word", t`Last message`, (task) => (
      <Words
        text={lastWord(task)}
        isOurs={task.error === null}
        className={task.error === null ? css.word : css.fault}
      />
    )),
  ];
};

const timeOf = ({ start_time, end_time, status }: UiTask, now: number): string => {
  if (start_time === null) return "–";
  const end = end_time === null ? (status === "running" ? now : undefined) : Date.parse(end_time);
  return end === undefined ? "–" : timeTaken(end - Date.parse(start_time));
};

const lastWord = ({ error, status, progress_detail: detail, losses, retry_nr }: UiTask): string => {
  if (error !== null) return error;
  const again = [retry_nr > 0 && t`retry ${retry_nr}`, losses > 0 && t`node lost ${losses}×`];
  const pace = status === "running" && [
    detail?.fps && t`${number(detail.fps, 1)} fps`,
    detail?.speed !== undefined && t`${number(detail.speed, 2)}× real time`,
  ];
  return [...(pace || []), ...again].filter(Boolean).join(", ");
};
