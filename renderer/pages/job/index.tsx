import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { AppError, messageOf } from "../../../shared/errors.ts";
import type { UiJob } from "../../../shared/job-view.ts";
import { jobStateName } from "../../../shared/state/labels.ts";
import { useActions } from "../../data/actions.ts";
import { useNow } from "../../data/link.ts";
import { jobQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Bar } from "../../ui/bar.tsx";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/clipboard.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { duration, shortTime } from "../../ui/format.ts";
import { useKeys } from "../../ui/keys.tsx";
import { Empty, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { deleteQuestion, stopQuestion } from "../../ui/questions.ts";
import { State } from "../../ui/state.tsx";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";
import { Definition } from "./definition.tsx";
import { Faults } from "./faults.tsx";
import { Graph } from "./graph.tsx";
import css from "./job.module.css";
import { LogPanel } from "./log-panel.tsx";
import { Outputs } from "./outputs.tsx";
import { type TaskFilter, TaskPanel, taskFilters } from "./task-panel.tsx";
import { Why } from "./why.tsx";

type Search = { readonly task?: string; readonly status?: TaskFilter; readonly element?: string };

export const jobSearch = ({ task, status, element }: Record<string, unknown>): Search => ({
  task: task === undefined ? undefined : String(task),
  status: taskFilters.find((each) => each === status),
  element: element === undefined ? undefined : String(element),
});

const route = getRouteApi("/inside/jobs/$jobId");

/** How far one job is, what it does now, and what came of it. */
export const JobPage = () => {
  const { jobId }: { jobId: string } = route.useParams();
  const { data: view, error, refetch } = useQuery(jobQuery(jobId));
  if (view) return <Shown key={jobId} view={view} />;
  if (!error) return <Loading what={`job ${jobId}`} rows={8} />;
  const isGone = error instanceof AppError && error.code === "NOT_FOUND";
  return (
    <Page title={`Job ${jobId}`}>
      <Empty title={isGone ? `There is no job ${jobId}. It may have been deleted.` : messageOf(error)}>
        <Link to="/jobs">Go to Jobs</Link>
        {!isGone && <Button onClick={() => void refetch()}>Try again</Button>}
      </Empty>
    </Page>
  );
};

const Shown = ({ view }: { readonly view: UiJob }) => {
  const search: Search = route.useSearch();
  const navigate = useNavigate();
  const { info } = view;
  const show = (change: Search) =>
    void navigate({
      to: "/jobs/$jobId",
      params: { jobId: info.id },
      search: (old: Search) => ({ ...old, ...change }),
      replace: true,
    });
  const task = view.tasks.find(({ id }) => id === search.task) ?? preferredTask(view);
  useKeys([{ keys: "l", word: "To the log", run: () => document.getElementById("log")?.focus() }]);
  return (
    <Page title={<Title view={view} />} actions={<JobActions view={view} />}>
      <Summary view={view} />
      <Faults view={view} />
      <Graph view={view} chosen={search.element} onChoose={(element) => show({ element })} />
      <div className={css.columns}>
        <TaskPanel view={view} search={search} chosen={task?.id} onSearch={show} />
        <div className={css.side}>
          {(task?.status === "queued" || task?.status === "running") && <Why taskId={task.id} />}
          <Outputs outputs={view.outputs} hasEnded={info.end_time !== null} />
          <LogPanel key={task?.id} task={task} />
        </div>
      </div>
      <Definition jobId={info.id} />
    </Page>
  );
};

/** What somebody most likely wants to read of: what failed, else what runs, else the last. */
const preferredTask = ({ tasks }: UiJob) =>
  tasks.find(({ status }) => status === "failed") ?? tasks.find(({ status }) => status === "running") ?? tasks.at(-1);

const Title = ({ view: { info } }: { readonly view: UiJob }) => (
  <div className={css.title}>
    <Link to="/jobs">Jobs</Link>
    <h1>
      <Words text={info.name} />
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
  const [question, setQuestion] = useState<"stop" | "delete">();
  const copyId = () => void copyText(info.id).then(() => say(`Copied ${info.id}.`));
  const change = (step: number) => () => void actions.addPriority(info, step);
  const remove = async () => {
    if (await actions.remove(info)) await navigate({ to: "/jobs" });
  };
  const submitAgain = () => void navigate({ to: "/submit", search: { from: info.id } });
  const canStop = info.end_time === null;
  const isHeld = info.substatus === "paused" || info.substatus === "scheduled";
  const job = { ...info, task_counts: view.task_counts };
  useKeys([
    { keys: "c", word: "Copy the job's id", run: copyId },
    { keys: "Escape", word: "Back to Jobs", run: () => void navigate({ to: "/jobs" }) },
    ...(mayChange
      ? [
          { keys: "t", word: "Submit it again…", run: submitAgain },
          ...(canStop
            ? [
                { keys: "+", word: "Priority up by 1", run: change(1) },
                { keys: "-", word: "Priority down by 1", run: change(-1) },
                { keys: "x", word: "Stop the job…", run: () => setQuestion("stop") },
              ]
            : []),
        ]
      : []),
  ]);
  return (
    <>
      <Button hint="c" onClick={copyId}>
        Copy id
      </Button>
      {mayChange && (
        <>
          {canStop && (
            <>
              <span className={css.priority}>
                <span>Priority {info.priority}</span>
                <Button aria-label="Priority up by 1" onClick={change(1)}>
                  +
                </Button>
                <Button aria-label="Priority down by 1" onClick={change(-1)}>
                  −
                </Button>
              </span>
              <Button onClick={() => void actions.hold(info, isHeld)}>{isHeld ? "Resume" : "Pause"}</Button>
              <Button hint="x" onClick={() => setQuestion("stop")}>
                Stop…
              </Button>
            </>
          )}
          <Button hint="t" onClick={submitAgain}>
            Submit again…
          </Button>
          <Button onClick={() => setQuestion("delete")}>Delete…</Button>
          <Confirm
            {...stopQuestion(job)}
            isOpen={question === "stop"}
            onClose={() => setQuestion(undefined)}
            onGo={() => void actions.stop(info)}
          />
          <Confirm
            {...deleteQuestion(job)}
            isOpen={question === "delete"}
            onClose={() => setQuestion(undefined)}
            onGo={() => void remove()}
          />
        </>
      )}
    </>
  );
};

const Summary = ({ view: { info, task_counts: counts } }: { readonly view: UiJob }) => {
  const now = useNow();
  const total = counts.queued + counts.running + counts.completed + counts.failed;
  const state = jobStateName(info);
  const parts =
    state === "stopped"
      ? { completed: counts.completed, stopped: total - counts.completed }
      : { ...counts, queued: 0, [state === "retrying" ? "retrying" : "queued"]: counts.queued };
  const begun = info.start_time === null ? undefined : Date.parse(info.start_time);
  const took = begun === undefined ? undefined : duration((info.end_time ? Date.parse(info.end_time) : now) - begun);
  return (
    <div className={css.summary}>
      <div className={css.bar}>
        <Bar counts={total === 0 ? { blocked: 1 } : parts} label="Tasks" isTall />
      </div>
      <p>
        <b>{counts.completed}</b> of {total} tasks · <b>{info.progress} %</b>
        {counts.running > 0 && ` · ${counts.running} running`}
        {took !== undefined && ` · ${info.end_time === null ? "runs for" : "took"} ${took}`}
      </p>
      <p className={css.facts}>
        <span>Job {info.id}</span> <span>sent {shortTime(info.creation_time, now)}</span>{" "}
        {info.end_time && <span>ended {shortTime(info.end_time, now)}</span>}{" "}
        {info.user_tag !== null && <Words text={info.user_tag} />}
      </p>
    </div>
  );
};
