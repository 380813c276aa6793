import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { AppError, messageOf } from "../../../shared/errors.ts";
import type { UiJob } from "../../../shared/job-view.ts";
import { jobStateName } from "../../../shared/state/labels.ts";
import { useActions } from "../../data/actions.ts";
import { finishWords, happeningOf } from "../../data/happening.ts";
import { useNow } from "../../data/link.ts";
import { jobQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Bar } from "../../ui/bar.tsx";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/clipboard.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { TryAgain } from "../../ui/failed.tsx";
import { number, percentage, shortTime, timeTaken } from "../../ui/format.ts";
import { useKeys } from "../../ui/keys.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Empty, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Priority } from "../../ui/priority.tsx";
import { stopQuestion } from "../../ui/questions.ts";
import { State } from "../../ui/state.tsx";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";
import { Definition } from "./definition.tsx";
import { Faults } from "./faults.tsx";
import { Findings } from "./findings.tsx";
import { Graph } from "./graph.tsx";
import { History } from "./history.tsx";
import css from "./job.module.css";
import { LogPanel } from "./log-panel.tsx";
import { Outputs } from "./outputs.tsx";
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
  const task = view.tasks.find(({ id }) => id === search.task) ?? preferredTask(view);
  useKeys([{ keys: "l", word: t`To the log`, run: () => document.getElementById("log")?.focus() }]);
  return (
    <Page title={<Title view={view} />} name={info.name} actions={<JobActions view={view} />}>
      <Summary view={view} />
      <Faults view={view} />
      <Graph view={view} chosen={search.element} onChoose={(element) => show({ element })} />
      <div className={css.columns}>
        <TaskPanel view={view} search={search} chosen={task?.id} onSearch={show} />
        <div className={css.side}>
          {view.elements.some(({ kind }) => kind === "watchfolder") && <WatchPanels jobId={info.id} />}
          <Outputs
            jobId={info.id}
            count={view.outputs.reduce((sum, each) => sum + each.file_count, 0)}
            hasEnded={info.end_time !== null}
          />
          <LogPanel key={task?.id} task={task} />
        </div>
      </div>
      <Findings view={view} />
      <History entries={view.history} />
      <Definition jobId={info.id} />
    </Page>
  );
};

/** The task that people most likely want to read: a failed one, else a running one, else the last. */
const preferredTask = ({ tasks }: UiJob) =>
  tasks.find(({ status }) => status === "failed") ?? tasks.find(({ status }) => status === "running") ?? tasks.at(-1);

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

const JobActions = ({ view }: { readonly view: UiJob }) => {
  const { info } = view;
  const actions = useActions();
  const navigate = useNavigate();
  const say = useSay();
  const mayChange = useMay("operator");
  const [isStopping, setStopping] = useState(false);
  const copyId = () => void copyText(info.id).then(() => say(t`Copied ${info.id}.`));
  const change = (step: number) => () => actions.addPriority([info], step);
  const remove = () => {
    actions.remove([info]);
    void navigate({ to: "/jobs" });
  };
  const clone = () => void navigate({ to: "/submit", search: { from: info.id } });
  const retry = () => void actions.change("retry", [info]);
  const runAgain = () => void actions.retryAll(info);
  const isOpen = info.end_time === null;
  const isHeld = info.substatus === "paused" || info.substatus === "scheduled";
  const hold = () => void actions.hold([info], isHeld);
  const canRetry = view.elements.some(({ state }) => state === "failed");
  const job = { ...info, task_counts: view.task_counts };
  useKeys([
    { keys: "c", word: t`Copy the job's id`, run: copyId },
    { keys: "Escape", word: t`Back to Jobs`, run: () => void navigate({ to: "/jobs" }) },
    ...(mayChange
      ? [
          ...(canRetry ? [{ keys: "t", word: t`Retry what failed`, run: retry }] : []),
          ...(isOpen
            ? [
                { keys: "p", word: isHeld ? t`Resume the job` : t`Pause the job`, run: hold },
                { keys: "+", word: t`Priority up by 1`, run: change(1) },
                { keys: "-", word: t`Priority down by 1`, run: change(-1) },
                { keys: "x", word: t`Stop the job…`, run: () => setStopping(true) },
              ]
            : []),
        ]
      : []),
  ]);
  if (!mayChange)
    return (
      <Button onClick={copyId}>
        <Trans>Copy id</Trans>
      </Button>
    );
  return (
    <>
      {canRetry && (
        <Button look="primary" hint="t" onClick={retry}>
          <Trans>Retry failed</Trans>
        </Button>
      )}
      {isOpen && (
        <>
          <Button hint="p" onClick={hold}>
            {isHeld ? t`Resume` : t`Pause`}
          </Button>
          <Priority key={info.priority} value={info.priority} onSet={(value) => actions.setPriority([info], value)} />
        </>
      )}
      <span className={css.together}>
        {isOpen && (
          <Button hint="x" onClick={() => setStopping(true)}>
            <Trans>Stop…</Trans>
          </Button>
        )}
        <Menu
          trigger={<Button aria-label={t`More actions`}>⋯</Button>}
          items={[
            { word: t`Clone and edit`, run: clone },
            { word: t`Run the whole job again`, run: runAgain },
            { word: t`Copy id`, hint: "c", run: copyId },
            { word: t`Delete`, run: remove },
          ]}
        />
      </span>
      <Confirm
        {...stopQuestion([job])}
        isOpen={isStopping}
        onClose={() => setStopping(false)}
        onGo={() => void actions.stop([info])}
      />
    </>
  );
};

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
  const total = counts.queued + counts.running + counts.completed + counts.failed;
  const state = jobStateName(info);
  const parts =
    state === "stopped"
      ? { completed: counts.completed, stopped: total - counts.completed }
      : { ...counts, queued: 0, [state === "retrying" ? "retrying" : "queued"]: counts.queued };
  const begun = info.start_time === null ? undefined : Date.parse(info.start_time);
  const took = begun === undefined ? undefined : timeTaken((info.end_time ? Date.parse(info.end_time) : now) - begun);
  const does = happeningOf({ ...info, happening: view.happening, task_counts: counts, finish: view.finish }, now);
  return (
    <div className={css.summary}>
      <div className={css.bar}>
        <Bar counts={total === 0 ? { blocked: 1 } : parts} label={t`Tasks`} isTall />
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
          <Words text={does.text} isOurs={does.tone !== "fault" && does.whyTask === undefined} />
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
