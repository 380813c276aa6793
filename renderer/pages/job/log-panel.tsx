import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AttemptRecord, costWords } from "../../../shared/attempt.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { UiTask } from "../../../shared/job-view.ts";
import { useNow } from "../../data/link.ts";
import { logQuery } from "../../data/queries.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { copyText } from "../../ui/clipboard.ts";
import fieldCss from "../../ui/field.module.css";
import { shortTime } from "../../ui/format.ts";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";
import css from "./log.module.css";
import { LogText } from "./log-text.tsx";

/** The log of one attempt of a task; the last one by default. */
export const LogPanel = ({ task }: { readonly task: UiTask | undefined }) => {
  const now = useNow();
  const [wanted, setWanted] = useState<number>();
  const [isWide, setWide] = useState(false);
  const { data: attempts, error } = useQuery({
    ...logQuery(task?.id ?? "", task?.status === "running"),
    enabled: task !== undefined,
  });
  const attempt = attempts?.find((each) => each.attempt === wanted) ?? attempts?.at(-1);
  const isLoading = task !== undefined && !attempts && !error;
  return (
    <Panel
      title="Log"
      className={classes(css.panel, isWide && css.wide, !!attempt?.log && !isWide && css.tall)}
      count={task && <Whose task={task} />}
      aid={
        attempts && attempts.length > 1 ? (
          <select
            className={`${fieldCss.input} ${css.attempts}`}
            aria-label="Attempt"
            value={attempt?.attempt}
            onChange={(event) => setWanted(Number(event.target.value))}
          >
            {attempts.map(({ attempt: number, state, assigned }, index) => (
              <option key={number} value={number}>
                Attempt {index + 1} of {attempts.length}: {state}, {shortTime(assigned, now)}
              </option>
            ))}
          </select>
        ) : undefined
      }
    >
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {isLoading && <Loading what="the log" />}
      {task === undefined && <Empty title="No task yet, so no log." />}
      {attempts?.length === 0 && <Empty title={whyEmpty(task?.status)} />}
      {attempt && <AttemptFacts attempt={attempt} />}
      {attempt && (
        <LogText
          key={attempt.attempt}
          text={attempt.log}
          fileName={`task-${task?.id}-attempt-${attempt.attempt}.log`}
          isGrowing={attempt.ended === null}
          isWide={isWide}
          onWide={setWide}
        />
      )}
    </Panel>
  );
};

/** Where and when the attempt ran, its cost, and how it ended. */
const AttemptFacts = ({ attempt }: { readonly attempt: AttemptRecord }) => {
  const now = useNow();
  const { node, state, assigned, ended, cost, failure } = attempt;
  const times = [`begun ${shortTime(assigned, now)}`, ended === null ? state : `${state} ${shortTime(ended, now)}`];
  const words = [node ?? "a deleted node", ...times, ...(cost ? costWords(cost) : [])];
  return (
    <p className={css.facts}>
      <Words text={words.join(", ")} />
      {failure?.exit_code != null && <span>, status {failure.exit_code}</span>}
      {failure?.command != null && <CopyCommand command={failure.command} />}
    </p>
  );
};

/** The tool's command, for trying it by hand. */
const CopyCommand = ({ command }: { readonly command: string }) => {
  const say = useSay();
  return (
    <Button look="quiet" title={command} onClick={() => void copyText(command).then(() => say("Copied the command."))}>
      Copy command
    </Button>
  );
};

/** Each name is isolated: one written from right to left does not reorder the text around it. */
const Whose = ({ task: { name, node } }: { readonly task: UiTask }) => (
  <>
    <bdi>{name.slice(0, 40)}</bdi>
    {node !== null && (
      <>
        {" on "}
        <bdi>{node.slice(0, 40)}</bdi>
      </>
    )}
  </>
);

const whyEmpty = (status: UiTask["status"] | undefined): string => {
  if (status === "failed") return "This task failed before any attempt began.";
  return status === "completed" ? "This task needed no attempt." : "This task has not begun.";
};
