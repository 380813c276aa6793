import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Computer } from "../../../shared/desktop/ipc.ts";
import type { EndedTask, LendingReport, LocalTask, NodeLoad } from "../../../shared/lending/lending.ts";
import type { StateName } from "../../../shared/model/state-labels.ts";
import { Meter } from "../../ui/charts/bar.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { classes } from "../../ui/text/classes.ts";
import { bytes, minuteTime, percentage, timeTaken } from "../../ui/text/format.ts";
import { Glyph } from "../../ui/text/glyph.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./computer.module.css";
import { Share } from "./share.tsx";

const shownEnded = 3;

/** Running tasks, how much of the machine they use, and the tasks that ended last. */
export const Running = ({ computer: { report, rules } }: { readonly computer: Computer }) => {
  const running = report?.running ?? [];
  const ended = report?.ended.slice(0, shownEnded) ?? [];
  const load = report?.standing.load;
  return (
    <Panel
      title={t`Running here now`}
      count={running.length}
      aid={
        <>
          <span className={css.key} data-part="farm" /> <Trans>farm</Trans>
          <span className={css.key} data-part="you" /> <Trans>everything else</Trans>
        </>
      }
    >
      <div className={css.inside}>
        {running.length === 0 && (
          <p className={css.quiet}>
            <Trans>No task runs here.</Trans>
          </p>
        )}
        {running.length > 0 && (
          <ul className={css.tasks}>
            {running.map((task) => (
              <Task key={task.taskId} task={task} isSuspended={report?.standing.isSuspended ?? false} />
            ))}
          </ul>
        )}
        {report?.held && <Held held={report.held} />}
        {load && <Loads load={load} minDisk={rules.minDisk} />}
        {ended.length > 0 && (
          <ul className={css.ended} aria-label={t`Ended here last`}>
            {ended.map((task) => (
              <Ended key={`${task.at} ${task.name}`} task={task} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
};

const Task = ({ task, isSuspended }: { readonly task: LocalTask; readonly isSuspended: boolean }) => (
  <li data-suspended={isSuspended ? "" : undefined}>
    <Glyph state={isSuspended ? "paused" : "running"} />
    <Words text={task.name} className={css.name} />
    <span className={css.number}>
      {[
        ...(isSuspended ? [t`suspended`] : []),
        task.percent === null ? t`for ${timeTaken(task.workedMs)}` : percentage(task.percent),
      ].join(", ")}
    </span>
    {/* An empty bar would say that nothing is done yet. */}
    {task.percent !== null && <Meter percent={task.percent} label={task.name} />}
  </li>
);

/** What a hold costs, and when it ends. */
const Held = ({ held: { memory, until } }: { readonly held: NonNullable<LendingReport["held"]> }) => (
  <p className={css.note}>
    {memory !== null && <Trans>Suspended tasks keep {bytes(memory)} of memory.</Trans>}{" "}
    {until !== null && <Trans>They are given back at {minuteTime(until)}, and start again on other computers.</Trans>}
  </p>
);

const Loads = ({ load, minDisk }: { readonly load: NodeLoad; readonly minDisk: number }) => {
  const { cpu, farmCpu = 0, memoryUsed, memory, disk } = load;
  const floor = disk && Math.min(minDisk, disk.total / 20);
  return (
    <div className={css.loads}>
      <dl>
        <Share label={t`CPU`} farm={farmCpu} others={cpu - farmCpu} words={percentage(Math.round(cpu * 100))} />
        <Share
          label={t`Memory`}
          others={memory > 0 ? memoryUsed / memory : 0}
          words={t`${bytes(memoryUsed)} of ${bytes(memory)}`}
        />
        {disk && floor !== undefined && (
          <Share
            label={t`Disk`}
            others={1 - disk.free / disk.total}
            tick={1 - floor / disk.total}
            words={t`${bytes(disk.free)} free`}
          />
        )}
      </dl>
      {floor !== undefined && (
        <p className={css.note}>
          <Trans>Lending stops at the tick: {bytes(floor)} stay free.</Trans>
        </p>
      )}
    </div>
  );
};

const endings: Readonly<Record<EndedTask["how"], { readonly look: StateName; readonly word: string }>> = {
  done: { look: "completed", word: "" },
  failed: { look: "failed", word: t`failed` },
  givenBack: { look: "notTaken", word: t`given back` },
};

const Ended = ({ task }: { readonly task: EndedTask }) => (
  <li>
    <span className={classes(css.glyph, css[task.how])}>
      <Glyph state={endings[task.how].look} size={12} />
    </span>
    <Words text={task.name} className={css.name} />
    <span className={css.number}>
      {endings[task.how].word} {timeTaken(task.workedMs)}
    </span>
    <span className={css.number}>{minuteTime(task.at)}</span>
  </li>
);
