import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { FarmView } from "../../../shared/api/farm-view.ts";
import type { Overview } from "../../../shared/api/overview.ts";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName, type StateName, states } from "../../../shared/model/state-labels.ts";
import { finishWords } from "../../data/activity.ts";
import { stateWordInside } from "../../language/words.ts";
import { offsetAt, roundTimes } from "../../ui/charts/round-times.ts";
import { classes } from "../../ui/text/classes.ts";
import { minuteTime, number, shortTime, span } from "../../ui/text/format.ts";
import { Glyph } from "../../ui/text/glyph.tsx";
import stateCss from "../../ui/text/state.module.css";
import css from "./overview.module.css";

type Props = {
  readonly overview: Overview;
  readonly nodes: readonly Node[];
  readonly farm: FarmView;
  readonly now: number;
};

/** Five numbers, each with its picture and a way to its list. */
export const Figures = (props: Props) => (
  <div className={css.figures}>
    <NodesFigure {...props} />
    <SlotsFigure {...props} />
    <WaitFigure {...props} />
    <PaceFigure {...props} />
    <EmptyFigure {...props} />
  </div>
);

const Figure = ({
  title,
  value,
  unit,
  to,
  children,
}: {
  readonly title: string;
  readonly value: ReactNode;
  readonly unit: string;
  readonly to: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className={css.figure} aria-label={title}>
    <h2>{title}</h2>
    <p className={css.value}>
      <b>{typeof value === "number" ? number(value) : value}</b> <span>{unit}</span>
    </p>
    {children}
    <p className={css.aid}>{to}</p>
  </section>
);

const order: readonly StateName[] = [
  "working",
  "idle",
  "inUse",
  "draining",
  "paused",
  "off",
  "probation",
  "late",
  "quarantined",
  "lost",
];

const NodesFigure = ({ nodes }: Props) => {
  const counts = order
    .map((state) => ({ state, count: nodes.filter((node) => nodeStateName(node) === state).length }))
    .filter(({ count }) => count > 0);
  const working = counts.find(({ state }) => state === "working")?.count ?? 0;
  return (
    <Figure
      title={t`Nodes`}
      value={working}
      unit={t`of ${nodes.length} working`}
      to={
        counts.length === 0 ? (
          <Link to="/nodes">
            <Trans>Add a node</Trans>
          </Link>
        ) : (
          counts
            .filter(({ state }) => state !== "working")
            .map(({ state, count }) => (
              <Link key={state} to="/nodes" search={{ state: state as "idle" }} className={css.legend}>
                <span className={classes(stateCss.state, stateCss[states[state].hue])}>
                  <Glyph state={state} size={12} />
                </span>
                {number(count)} {stateWordInside(state)}
              </Link>
            ))
        )
      }
    >
      <span className={css.parts} aria-hidden="true">
        {counts.map(({ state, count }) => (
          <span key={state} className={css[state]} style={{ flexGrow: count }} />
        ))}
      </span>
    </Figure>
  );
};

const mostCells = 60;

/** A late node still works. */
const isThere = ({ presence }: Node): boolean => presence === "online" || presence === "late";

const SlotsFigure = ({ nodes, farm }: Props) => {
  const lent = nodes.filter((node) => isThere(node) && node.state === "active" && node.health.state !== "quarantined");
  const slots = lent.reduce((sum, node) => sum + node.slots, 0);
  const busy = nodes.reduce((sum, node) => sum + node.running.length, 0);
  const free = Math.max(0, slots - busy);
  return (
    <Figure
      title={t`Tasks running`}
      value={farm.tasks.running}
      unit={plural(slots, { one: "on # slot", other: "on # slots" })}
      to={
        <Link to="/jobs" search={{ state: "running" }}>
          {free === 0 ? t`All slots are busy` : plural(free, { one: "# slot free", other: "# slots free" })}
        </Link>
      }
    >
      <span className={css.slots} aria-hidden="true">
        {slots <= mostCells ? (
          Array.from({ length: slots }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cells are all alike
            <span key={at} className={at < busy ? css.busy : undefined} />
          ))
        ) : (
          <span className={css.fill} style={{ width: `${Math.min(100, (busy / slots) * 100)}%` }} />
        )}
      </span>
    </Figure>
  );
};

/** Minutes, and where there is little room the minute at which each begins. */
const waitWords = [
  ["< 5", "0"],
  ["5–15", "5"],
  ["15–30", "15"],
  ["30–60", "30"],
  ["> 60", "60"],
] as const;

const WaitFigure = ({ overview, farm, now }: Props) => {
  const most = Math.max(1, ...overview.waits);
  const { oldest_ready: oldest } = overview;
  return (
    <Figure
      title={t`Ready, by minutes waited`}
      value={farm.tasks.ready}
      unit={t`tasks ready`}
      to={
        oldest ? (
          <Link to="." search={(old: object) => ({ ...old, why: oldest.task_id })}>
            <Trans>Oldest ready for {span(now - Date.parse(oldest.since))}. Why?</Trans>
          </Link>
        ) : (
          t`Nothing waits for a slot.`
        )
      }
    >
      <span className={css.waits}>
        {waitWords.map(([word, short], at) => (
          <WaitBar key={word} {...{ word, short, most }} count={overview.waits[at] ?? 0} />
        ))}
      </span>
    </Figure>
  );
};

type WaitBarProps = { readonly word: string; readonly short: string; readonly most: number; readonly count: number };

const WaitBar = ({ word, short, most, count }: WaitBarProps) => (
  <span>
    <i>{count > 0 ? number(count) : ""}</i>
    <span style={{ height: `${count === 0 ? 0 : Math.max(2, (count / most) * 16)}px` }} />
    <i className={css.wide}>{word}</i>
    <i className={css.tight} aria-hidden="true">
      {short}
    </i>
  </span>
);

const halfHourMs = 1_800_000;

/** Tasks of each half hour; the most of them, and the last, have their numbers. */
const PaceFigure = ({ overview: { throughput }, now }: Props) => {
  const { parts, last_hour, hour_before } = throughput;
  const most = Math.max(1, ...parts);
  const highest = parts.indexOf(most);
  const from = now - parts.length * halfHourMs;
  const hours = roundTimes(from, now, 4, offsetAt(now)).map((time) => ({
    at: ((time - from) / (now - from)) * 100,
    word: minuteTime(time),
  }));
  const change = hour_before > 0 ? Math.round(((last_hour - hour_before) / hour_before) * 100) : undefined;
  return (
    <Figure
      title={t`Throughput, last 12 h`}
      value={last_hour}
      unit={plural(last_hour, { one: "task in the last hour", other: "tasks in the last hour" })}
      to={
        <Link to="/jobs" search={{ state: "completed", sort: "end_time", order: "desc" }}>
          {change === undefined
            ? t`${hour_before} in the hour before`
            : t`${change >= 0 ? "+" : "−"}${number(Math.abs(change))} % on the hour before`}
        </Link>
      }
    >
      <span className={css.paceBars} role="img" aria-label={t`At most ${most} in half an hour`}>
        {parts.map((count, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: half hours have no other name
          <span key={at} style={{ height: `${(count / most) * 100}%` }}>
            {at === highest && <i>{number(count)}</i>}
          </span>
        ))}
      </span>
      <span className={css.paceAxis} aria-hidden="true">
        {hours
          .filter(({ at }) => at > 6 && at < 94)
          .map(({ at, word }) => (
            <i key={at} style={{ left: `${at}%` }}>
              {word}
            </i>
          ))}
      </span>
    </Figure>
  );
};

const EmptyFigure = ({ overview: { empty, unknown, active_count }, farm, now }: Props) => {
  const open = farm.jobs.queued + active_count;
  const value = empty ? finishWords(empty, now) : open === 0 ? t`Now` : t`Unknown`;
  return (
    <Figure
      title={t`Queue empty`}
      value={value}
      unit={empty ? t`likely ${shortTime(empty.likely, now)}` : ""}
      to={
        <Link to="/jobs">
          {open === 0
            ? t`No job is open.`
            : unknown === 0 || empty
              ? plural(open, { one: "# job open", other: "# jobs open" })
              : t`${plural(unknown, { one: "# job", other: "# jobs" })} of ${open} without an estimate`}
        </Link>
      }
    >
      {empty ? <Range empty={empty} now={now} /> : <span className={css.range} />}
    </Figure>
  );
};

const Range = ({ empty, now }: { readonly empty: NonNullable<Overview["empty"]>; readonly now: number }) => {
  const end = Date.parse(empty.to);
  const place = (iso: string) =>
    `${Math.max(0, Math.min(100, ((Date.parse(iso) - now) / Math.max(1, end - now)) * 96))}%`;
  return (
    <span className={css.range} aria-hidden="true">
      <span className={css.box} style={{ left: place(empty.from), right: `calc(100% - ${place(empty.to)})` }} />
      <span className={css.tick} style={{ left: place(empty.likely) }} />
    </span>
  );
};
