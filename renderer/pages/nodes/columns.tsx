import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { NodePace, NodeUse } from "../../../shared/api/node-view.ts";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName } from "../../../shared/model/state-labels.ts";
import type { NodeState } from "../../../shared/state/node.ts";
import { whoseWords } from "../../language/lending.ts";
import { paceWords } from "../../language/pace.ts";
import { stateWord } from "../../language/words.ts";
import { Meter } from "../../ui/charts/bar.tsx";
import { Load, LoadHead } from "../../ui/charts/load.tsx";
import { Button } from "../../ui/controls/button.tsx";
import type { Column } from "../../ui/table/table-row.tsx";
import { bytes, number, otherDay, percentage, shortTime, span } from "../../ui/text/format.ts";
import { fullTextAttribute } from "../../ui/text/full-text.tsx";
import { State } from "../../ui/text/state.tsx";
import { ReasonWords, Words } from "../../ui/text/words.tsx";
import { behindKind, type NodeSort } from "./node-order.ts";
import css from "./nodes.module.css";

type Shown = {
  readonly now: number;
  readonly uses: ReadonlyMap<string, NodeUse>;
  readonly paces: ReadonlyMap<string, NodePace>;
  readonly mayChange: boolean;
  readonly set: (node: Node, state: NodeState) => void;
  readonly trust: (node: Node) => void;
};

/** The table of nodes; who may change them gets buttons on the row that they point at or that has the focus. */
export const nodeColumns = ({ now, uses, paces, mayChange, set, trust }: Shown): readonly Column<Node>[] => {
  const hasGpu = [...uses.values()].some(({ gpu }) => gpu !== null);
  const column = (
    key: string,
    title: ReactNode,
    cell: Column<Node>["cell"],
    more: { readonly align?: "end"; readonly sort?: NodeSort } = {},
  ): Column<Node> => ({ key: css[key] ?? key, title, cell, ...more });
  return [
    column("state", t`State`, (node) => <State state={nodeStateName(node)} word={wordOf(node, now)} />),
    column(
      "name",
      t`Node`,
      ({ name, machine }) => (
        <>
          <Words text={name} className={css.title} />
          <Words text={machineWords(machine)} isOurs className={css.machine} />
        </>
      ),
      { sort: "name" },
    ),
    column("slots", t`Slots`, ({ slots, running }) => <Slots slots={slots} busy={running.length} />),
    column("load", <LoadHead hasGpu={hasGpu} />, ({ id }) => <Load use={uses.get(id)} hasGpu={hasGpu} />),
    column("running", t`Running now`, ({ running }) => <Running tasks={running} />),
    column("by", t`In use by`, (node) => <UsedBy node={node} owners={paces.get(node.id)?.owners ?? []} />),
    column("tags", t`Group, tags`, ({ id, tags, group }) => (
      <Words
        text={[...(paces.get(id)?.has ?? []), ...(group === null ? [] : [group]), ...tags].join(", ") || "–"}
        className={css.machine}
      />
    )),
    column("speed", t`Speed`, ({ id }) => <Speed pace={paces.get(id)} />, { align: "end", sort: "speed" }),
    column("failures", t`Failures`, ({ id }) => failedOf(paces.get(id)), { align: "end", sort: "failures" }),
    column("memory", t`Memory`, ({ machine }) => bytes(machine.memory), { align: "end", sort: "memory" }),
    column("seen", t`Seen`, ({ presence, last_seen }) => (presence === "online" ? t`now` : seenWords(last_seen, now)), {
      align: "end",
      sort: "seen",
    }),
    ...(mayChange
      ? [
          column(
            "actions",
            <span className="unseen">
              <Trans>Actions</Trans>
            </span>,
            (node) => <NodeButtons {...{ node, set, trust }} />,
          ),
        ]
      : []),
  ];
};

/** Its owner, while they use it themselves; else whose jobs run there. */
const UsedBy = ({ node, owners }: { readonly node: Node; readonly owners: readonly string[] }) => {
  const { lending } = node;
  if (lending?.takes === false) return <ReasonWords text={whoseWords(lending)} className={css.machine} />;
  return owners.length === 0 ? "–" : <Words text={owners.join(", ")} />;
};

/** Times as fast as usual, and what its kind says of it. */
const Speed = ({ pace }: { readonly pace: NodePace | undefined }) => {
  if (!pace || pace.speed === null) return "–";
  const words = paceWords(pace);
  const isSlow = (behindKind(pace) ?? 0) > 0;
  return (
    <span
      className={isSlow ? css.behind : undefined}
      {...{
        [fullTextAttribute]: words ?? t`${number(pace.speed, 2)} times as fast as usual, from ${pace.samples} tasks`,
      }}
    >
      {isSlow && (
        <span aria-hidden="true" className={css.slower}>
          ▾
        </span>
      )}
      {t`${number(pace.speed, pace.speed < 10 ? 2 : 0)}×`}
    </span>
  );
};

const failedOf = (pace: NodePace | undefined): ReactNode => {
  if (!pace) return "–";
  if (pace.failed === 0) return <span className={css.machine}>0</span>;
  return t`${number(pace.failed)} of ${number(pace.failed + pace.done)}`;
};

type ButtonsProps = Pick<Shown, "set" | "trust"> & { readonly node: Node };

const NodeButtons = ({ node, set, trust }: ButtonsProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: keeps a click on a button from opening the row
  // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons have the keys
  <span className={css.buttons} onClick={(event) => event.stopPropagation()}>
    {node.state === "pending" ? (
      <Button onClick={() => set(node, "active")}>
        <Trans>Let it work</Trans>
      </Button>
    ) : node.health.state === "sound" ? (
      <Button onClick={() => set(node, "drain")}>{node.state === "drain" ? t`Activate` : t`Drain`}</Button>
    ) : (
      <Button onClick={() => trust(node)}>
        <Trans>Trust again</Trans>
      </Button>
    )}
    <Button onClick={() => set(node, "paused")}>{node.state === "paused" ? t`Activate` : t`Pause`}</Button>
  </span>
);

const wordOf = (node: Node, now: number): string => {
  const state = nodeStateName(node);
  const isSilent = state === "late" || state === "lost";
  return isSilent ? `${stateWord(state)} ${span(now - Date.parse(node.last_seen))}` : stateWord(state);
};

/** What fits beside the name; the node's page has the rest. */
const machineWords = ({ cores }: Node["machine"]): string => plural(cores, { one: "# core", other: "# cores" });

/** More slots than this are shown as numbers. */
const mostCells = 12;

const Slots = ({ slots, busy }: { readonly slots: number; readonly busy: number }) => (
  <span className={css.cells}>
    {slots <= mostCells &&
      Array.from({ length: slots }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells are all alike
        <span key={at} className={at < busy ? css.busy : undefined} />
      ))}
    <span
      className={css.number}
      title={busy > slots ? t`Probes, copies and messages run beside the slots: ${busy - slots} now` : undefined}
    >
      {Math.min(busy, slots)}/{slots}
      {busy > slots && ` +${number(busy - slots)}`}
    </span>
  </span>
);

/** The first of its tasks, and how many others there are: a row is one line. */
const Running = ({ tasks: [first, ...others] }: { readonly tasks: Node["running"] }) => {
  if (!first) return null;
  return (
    <span className={css.tasks}>
      <Link
        to="/jobs/$jobId"
        params={{ jobId: first.job_id }}
        search={{ task: first.task_id }}
        onClick={(event) => event.stopPropagation()}
        className={css.task}
      >
        <Words text={first.name} />
      </Link>
      {others.length > 0 && (
        <span className={css.more} title={others.map(({ name }) => name.slice(0, 80)).join("\n")}>
          <Trans>+{others.length} more</Trans>
        </span>
      )}
      <span className={css.meter}>
        <Meter percent={first.progress} label={t`Progress`} />
      </span>
      <span className={css.percent}>{percentage(first.progress)}</span>
    </span>
  );
};

/** The time of today, else the day: the state beside it tells how long ago that was. */
const seenWords = (iso: string, now: number): string => otherDay(iso, now) ?? shortTime(iso, now);
