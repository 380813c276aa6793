import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import type { UiTask } from "../../../../shared/api/job-view.ts";
import { messageOf } from "../../../../shared/basics/errors.ts";
import type { AttemptRecord } from "../../../../shared/model/attempt.ts";
import { useNow } from "../../../data/link.ts";
import { logQuery, nodesQuery } from "../../../data/queries.ts";
import { translated } from "../../../language/words.ts";
import { copyText } from "../../../ui/browser/clipboard.ts";
import { Button } from "../../../ui/controls/button.tsx";
import fieldCss from "../../../ui/controls/field.module.css";
import { Panel } from "../../../ui/layout/panel.tsx";
import { useSay } from "../../../ui/overlays/toast.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { bytes, number, shortTime, span } from "../../../ui/text/format.ts";
import { Empty, Loading, Notice } from "../../../ui/text/notice.tsx";
import { Words } from "../../../ui/text/words.tsx";
import { compareAttempts } from "./compare.ts";
import css from "./log.module.css";
import { LogText } from "./log-text.tsx";

/** The log of one attempt of a task; the last one by default. */
export const LogPanel = ({ task }: { readonly task: UiTask | undefined }) => {
  const now = useNow();
  const [wanted, setWanted] = useState<number>();
  const [isWide, setWide] = useState(false);
  const [against, setAgainst] = useState<number>();
  const { data: attempts, error } = useQuery({
    ...logQuery(task?.id ?? "", task?.status === "running"),
    enabled: task !== undefined,
  });
  const attempt = attempts?.find((each) => each.attempt === wanted) ?? attempts?.at(-1);
  const other = comparedWith(attempts ?? [], attempt, against);
  const isLoading = task !== undefined && !attempts && !error;
  return (
    <Panel
      title={t`Log`}
      className={classes(
        ...[css.panel, isWide && css.wide],
        ...[other && !isWide && css.taller, !!attempt?.log && !other && !isWide && css.tall],
      )}
      count={task && <Whose task={task} />}
      aid={
        attempts && attempt && attempts.length > 1 ? (
          <span className={css.choices}>
            <Attempts label={t`Attempt`} {...{ attempts, now }} chosen={attempt.attempt} onChoose={setWanted} />
            {other && (
              <Attempts label={t`Compared with`} {...{ attempts, now }} chosen={other.attempt} onChoose={setAgainst} />
            )}
            <Button
              aria-pressed={other !== undefined}
              onClick={() => setAgainst(other ? undefined : attempts.findLast((each) => each !== attempt)?.attempt)}
            >
              <Trans>Compare</Trans>
            </Button>
          </span>
        ) : undefined
      }
    >
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {isLoading && <Loading what={t`the log`} />}
      {task === undefined && <Empty title={t`No task yet, so no log.`} />}
      {attempts?.length === 0 && <Empty title={whyEmpty(task?.status)} />}
      {attempt && <Shown taskId={task?.id} attempt={attempt} other={other} isWide={isWide} onWide={setWide} />}
    </Panel>
  );
};

type ShownProps = {
  readonly taskId: string | undefined;
  readonly attempt: AttemptRecord;
  readonly other: AttemptRecord | undefined;
  readonly isWide: boolean;
  readonly onWide: (isWide: boolean) => void;
};

/** One attempt with its log, or two beside each other. */
const Shown = ({ taskId, attempt, other, isWide, onWide }: ShownProps) => (
  <>
    {other ? <Compared pair={[attempt, other]} /> : <AttemptFacts attempt={attempt} />}
    <div className={other ? css.pair : css.single}>
      {[attempt, ...(other ? [other] : [])].map((each, at) => (
        <div key={each.attempt}>
          <LogText
            text={each.log}
            fileName={`task-${taskId}-attempt-${each.attempt}.log`}
            isGrowing={each.ended === null}
            isWide={isWide}
            onWide={onWide}
            hasKeys={at === 0}
          />
        </div>
      ))}
    </div>
  </>
);

/** The attempt beside the chosen one, if two are compared. */
const comparedWith = (
  attempts: readonly AttemptRecord[],
  attempt: AttemptRecord | undefined,
  against: number | undefined,
): AttemptRecord | undefined =>
  against === undefined ? undefined : attempts.find((each) => each.attempt === against && each !== attempt);

type AttemptsProps = {
  readonly label: string;
  readonly attempts: readonly AttemptRecord[];
  readonly now: number;
  readonly chosen: number;
  readonly onChoose: (attempt: number) => void;
};

const Attempts = ({ label, attempts, now, chosen, onChoose }: AttemptsProps) => (
  <select
    className={`${fieldCss.input} ${css.attempts}`}
    aria-label={label}
    value={chosen}
    onChange={(event) => onChoose(Number(event.target.value))}
  >
    {attempts.map(({ attempt: number, state, assigned }, index) => (
      <option key={number} value={number}>
        <Trans>
          Attempt {index + 1} of {attempts.length}: {translated(state)}, {shortTime(assigned, now)}
        </Trans>
      </option>
    ))}
  </select>
);

/** Two attempts side by side; what differs is bold. */
const Compared = ({ pair }: { readonly pair: readonly [AttemptRecord, AttemptRecord] }) => {
  const { data: nodes = [] } = useQuery(nodesQuery);
  return (
    <dl className={css.compared} tabIndex={0} aria-label={t`What differs`}>
      {compareAttempts(pair, nodes).map(({ what, values, isSame }) => (
        <Fragment key={what}>
          <dt>{what}</dt>
          {values.map((value, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one value each of two attempts
            <dd key={at} className={isSame ? css.same : css.other}>
              <Words text={value} wraps />
            </dd>
          ))}
        </Fragment>
      ))}
    </dl>
  );
};

/** Where and when the attempt ran, its cost, and how it ended. */
const AttemptFacts = ({ attempt }: { readonly attempt: AttemptRecord }) => {
  const now = useNow();
  const { node, state, assigned, ended, cost, failure } = attempt;
  const begun = t`begun ${shortTime(assigned, now)}`;
  const end = ended === null ? translated(state) : `${translated(state)} ${shortTime(ended, now)}`;
  const words = [node ?? t`a deleted node`, begun, end, ...(cost ? costWords(cost) : [])];
  return (
    <p className={css.facts}>
      <Words text={words.join(", ")} isOurs />
      {failure?.exit_code != null && (
        <span>
          {", "}
          <Trans>status {failure.exit_code}</Trans>
        </span>
      )}
      {failure?.command != null && <CopyCommand command={failure.command} />}
    </p>
  );
};

/** The tool's command, for trying it by hand. */
const CopyCommand = ({ command }: { readonly command: string }) => {
  const say = useSay();
  return (
    <Button look="quiet" title={command} onClick={() => void copyText(command).then(() => say(t`Copied the command.`))}>
      <Trans>Copy command</Trans>
    </Button>
  );
};

/** Each name is isolated: one written from right to left does not reorder the text around it. */
const Whose = ({ task: { name, node } }: { readonly task: UiTask }) => (
  <>
    <bdi translate="no">{name.slice(0, 40)}</bdi>
    {node !== null && (
      <>
        {" "}
        <Trans>
          on <bdi translate="no">{node.slice(0, 40)}</bdi>
        </Trans>
      </>
    )}
  </>
);

const whyEmpty = (status: UiTask["status"] | undefined): string => {
  if (status === "failed") return t`This task failed before any attempt began.`;
  return status === "completed" ? t`This task needed no attempt.` : t`This task has not begun.`;
};

/** "12 s", "processor 40 s", "312 MB at most": the known parts. */
const costWords = ({ wall_ms, cpu_ms, peak_memory }: NonNullable<AttemptRecord["cost"]>): string[] => [
  secondsOf(wall_ms),
  ...(cpu_ms === null ? [] : [t`processor ${secondsOf(cpu_ms)}`]),
  ...(peak_memory === null ? [] : [t`memory ${bytes(peak_memory)} at most`]),
];

const secondsOf = (ms: number): string => (ms < 100_000 ? t`${number(ms / 1000, 1)} s` : span(ms));
