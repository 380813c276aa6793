import type { Computer } from "../../../shared/ipc.ts";
import type { EndedTask, LocalTask, NodeLoad } from "../../../shared/lending.ts";
import type { StateName } from "../../../shared/state/labels.ts";
import { Meter } from "../../ui/bar.tsx";
import { classes } from "../../ui/classes.ts";
import { bytes, clockTime, duration } from "../../ui/format.ts";
import { Glyph } from "../../ui/glyph.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Words } from "../../ui/words.tsx";
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
      title="Running here now"
      count={running.length}
      aid={
        <>
          <span className={css.key} data-part="farm" /> farm
          <span className={css.key} data-part="you" /> everything else
        </>
      }
    >
      <div className={css.inside}>
        {running.length === 0 && <p className={css.quiet}>No task runs here.</p>}
        {running.length > 0 && (
          <ul className={css.tasks}>
            {running.map((task) => (
              <Task key={task.taskId} task={task} isSuspended={report?.standing.isSuspended ?? false} />
            ))}
          </ul>
        )}
        {load && <Loads load={load} minDisk={rules.minDisk} />}
        {ended.length > 0 && (
          <ul className={css.ended} aria-label="Ended here last">
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
      {isSuspended ? "suspended, " : ""}
      {task.percent === null ? duration(task.workedMs) : `${Math.floor(task.percent)} %`}
    </span>
    <Meter percent={task.percent ?? 0} label={task.name} />
  </li>
);

const Loads = ({ load, minDisk }: { readonly load: NodeLoad; readonly minDisk: number }) => {
  const { cpu, farmCpu = 0, memoryUsed, memory, disk } = load;
  const floor = disk && Math.min(minDisk, disk.total / 20);
  return (
    <div className={css.loads}>
      <dl>
        <Share label="CPU" farm={farmCpu} others={cpu - farmCpu} words={`${Math.round(cpu * 100)} %`} />
        <Share
          label="Memory"
          others={memory > 0 ? memoryUsed / memory : 0}
          words={`${bytes(memoryUsed)} of ${bytes(memory)}`}
        />
        {disk && floor !== undefined && (
          <Share
            label="Disk"
            others={1 - disk.free / disk.total}
            tick={1 - floor / disk.total}
            words={`${bytes(disk.free)} free`}
          />
        )}
      </dl>
      {floor !== undefined && <p className={css.note}>Lending stops at the tick: {bytes(floor)} stay free.</p>}
    </div>
  );
};

const endings: Readonly<Record<EndedTask["how"], { readonly look: StateName; readonly word: string }>> = {
  done: { look: "completed", word: "" },
  failed: { look: "failed", word: "failed" },
  givenBack: { look: "notTaken", word: "given back" },
};

const Ended = ({ task }: { readonly task: EndedTask }) => (
  <li>
    <span className={classes(css.glyph, css[task.how])}>
      <Glyph state={endings[task.how].look} size={12} />
    </span>
    <Words text={task.name} className={css.name} />
    <span className={css.number}>
      {endings[task.how].word} {duration(task.workedMs)}
    </span>
    <span className={css.number}>{clockTime(task.at).slice(0, 5)}</span>
  </li>
);
