import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { UiJob } from "../../../shared/api/job-view.ts";
import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import { jobStateName } from "../../../shared/model/state-labels.ts";
import { describeActivity, finishWords } from "../../data/activity.ts";
import { countBar, totalOf } from "../../data/bars.ts";
import { useNow } from "../../data/link.ts";
import { jobQuery } from "../../data/queries.ts";
import { Bar } from "../../ui/charts/bar.tsx";
import { TryAgain } from "../../ui/controls/failed.tsx";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { number, percentage, shortTime, timeTaken } from "../../ui/text/format.ts";
import { Empty, Loading } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";
import { Definition } from "./definition/definition.tsx";
import { Faults } from "./faults.tsx";
import { Findings } from "./findings/findings.tsx";
import { Graph } from "./graph/graph.tsx";
import { History } from "./history.tsx";
import css from "./job.module.css";
import { JobActions } from "./job-actions.tsx";
import { LogPanel } from "./log/log-panel.tsx";
import { Outputs } from "./outputs/outputs.tsx";
import { preferredTask } from "./preferred-task.ts";
import type { JobPageSearch } from "./search.ts";
import { TaskPanel } from "./task-panel.tsx";
import { WatchPanels } from "./watch-panel.tsx";

const route = getRouteApi("/inside/jobs/$jobId");

/** How far one job is, what it is doing now, and its results. */
export const JobPage = () => {
  const { jobId }: { jobId: string } = route.useParams();
  const { data: view, error, refetch } = useQuery(jobQuery(jobId));
  if (view) return <Shown key={jobId} view={view} />;
  if (!error) return <Loading what={t`job ${jobId}`} rows={8} />;
  const isGone = error instanceof AppError && error.code === "NOT_FOUND";
  return (
    <Page title={t`Job ${jobId}`}>
      <Empty title={isGone ? t`There is no job ${jobId}. It may have been deleted.` : messageOf(error)}>
        <Link to="/jobs">
          <Trans>Go to Jobs</Trans>
        </Link>
        {!isGone && <TryAgain onClick={() => void refetch()} />}
      </Empty>
    </Page>
  );
};

const Shown = ({ view }: { readonly view: UiJob }) => {
  const search: JobPageSearch = route.useSearch();
  const navigate = useNavigate();
  const { info } = view;
  const show = (change: JobPageSearch) =>
    void navigate({
      to: "/jobs/$jobId",
      params: { jobId: info.id },
      search: (old: JobPageSearch) => ({ ...old, ...change }),
      replace: true,
    });
  const task = view.tasks.find(({ id }) => id === search.task) ?? preferredTask(view.tasks);
  useKeys([{ keys: "l", word: t`To the log`, run: () => document.getElementById("log")?.focus() }]);
  return (
    <Page title={<Title view={view} />} name={info.name} actions={<JobActions view={view} />}>
      <Summary view={view} />
      <Faults view={view} />
      <Graph view={view} chosen={search.element} onChoose={(element) => show({ element })} />
      <div className={css.columns}>
        <TaskPanel view={view} search={search} chosen={task?.id} onSearch={show} />
        <div className={css.side}>
          {view.elements.some(({ panel }) => panel === "watch") && <WatchPanels jobId={info.id} />}
          <Outputs
            jobId={info.id}
            count={view.outputs.reduce((sum, each) => sum + each.file_count, 0)}
            hasEnded={info.end_time !== null}
          />
        </div>
      </div>
      <LogPanel key={task?.id} task={task} />
      <Findings view={view} />
      <History entries={view.history} />
      <Definition jobId={info.id} />
    </Page>
  );
};

const Title = ({ view: { info } }: { readonly view: UiJob }) => (
  <div className={css.title}>
    <Link to="/jobs">
      <Trans>Jobs</Trans>
    </Link>
    <h1>
      <Words text={info.name} wraps className={css.name} />
    </h1>
    <State state={jobStateName(info)} />
  </div>
);

/** When it was sent, by whom and how. */
const Sent = ({ info: { creation_time, owner, origin, parent_id } }: Pick<UiJob, "info">) => {
  const time = shortTime(creation_time, useNow());
  if (parent_id !== null)
    return (
      <span>
        <Trans>
          begun {time} by the watched folder of{" "}
          <Link to="/jobs/$jobId" params={{ jobId: parent_id }} search={{}}>
            job {parent_id}
          </Link>
        </Trans>
        {owner !== null && <> · {owner}</>}
      </span>
    );
  return <span>{sentWords(time, owner, origin === "api")}</span>;
};

const sentWords = (time: string, owner: string | null, isByProgram: boolean): string => {
  if (owner === null) return t`sent ${time}`;
  return isByProgram ? t`sent ${time} by API user ${owner}` : t`sent ${time} by ${owner}`;
};

const Summary = ({ view }: { readonly view: UiJob }) => {
  const { info, task_counts: counts } = view;
  const now = useNow();
  const total = totalOf(counts);
  const begun = info.start_time === null ? undefined : Date.parse(info.start_time);
  const took = begun === undefined ? undefined : timeTaken((info.end_time ? Date.parse(info.end_time) : now) - begun);
  const does = describeActivity({ ...info, ...view, task_counts: counts }, now);
  return (
    <div className={css.summary}>
      <div className={css.bar}>
        <Bar counts={countBar({ ...info, task_counts: counts })} label={t`Tasks`} isTall />
      </div>
      <p>
        <Trans>
          <b>{number(counts.completed)}</b> of {number(total)} tasks · <b>{percentage(info.progress)}</b>
        </Trans>
        {view.finish && (
          <>
            {" · "}
            <Trans>
              finishes <b>{finishWords(view.finish, now)}</b>
            </Trans>
          </>
        )}
        {took !== undefined && ` · ${info.end_time === null ? t`runs for ${took}` : t`took ${took}`}`}
      </p>
      {info.end_time === null && (
        <p className={css.does}>
          <Words text={does.text} full={does.full} isOurs={does.tone !== "fault" && does.whyTask === undefined} />
          {does.whyTask !== undefined && (
            <Link to="." search={(old: object) => ({ ...old, why: does.whyTask })}>
              <Trans>Why?</Trans>
            </Link>
          )}
        </p>
      )}
      <p className={css.facts}>
        <span>
          <Trans>Job {info.id}</Trans>
        </span>{" "}
        <Sent info={info} />{" "}
        {info.end_time && (
          <span>
            <Trans>ended {shortTime(info.end_time, now)}</Trans>
          </span>
        )}{" "}
        {info.user_tag !== null && <Words text={info.user_tag} />}
      </p>
    </div>
  );
};
