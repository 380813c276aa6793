import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName, type StateName, states } from "../../../shared/model/state-labels.ts";
import { stateWordInside } from "../../language/words.ts";
import { Cell } from "../../shell/node-strip.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { classes } from "../../ui/text/classes.ts";
import { span } from "../../ui/text/format.ts";
import { Glyph } from "../../ui/text/glyph.tsx";
import { Empty } from "../../ui/text/notice.tsx";
import stateCss from "../../ui/text/state.module.css";
import { Words } from "../../ui/text/words.tsx";
import css from "./overview.module.css";

/** Of more nodes each is a cell, and only those in an unusual state have a line. */
const mostLines = 24;
const mostCells = 960;
const usual: ReadonlySet<StateName> = new Set(["working", "idle", "off", "inUse"]);

/** Every node with its slots; unusual states are named. */
export const NodeList = ({ nodes, now }: { readonly nodes: readonly Node[]; readonly now: number }) => {
  const named = nodes.length > mostLines ? nodes.filter((node) => !usual.has(nodeStateName(node))) : nodes;
  return (
    <Panel
      title={t`All nodes`}
      count={nodes.length}
      aid={
        <span className={css.quiet}>
          {nodes.length > mostLines ? t`one cell a node, filled = busy` : t`one mark a slot, filled = busy`}
        </span>
      }
    >
      {nodes.length === 0 ? (
        <Empty title={t`No nodes yet.`}>
          <Link to="/nodes">
            <Trans>Add a node</Trans>
          </Link>
        </Empty>
      ) : (
        <>
          {nodes.length > mostLines && <Cells nodes={nodes} />}
          <ul className={css.nodes}>
            {named.slice(0, mostLines).map((node) => (
              <Line key={node.id} node={node} now={now} />
            ))}
            {named.length > mostLines && (
              <li>
                <Link to="/nodes">
                  <Trans>and {named.length - mostLines} more</Trans>
                </Link>
              </li>
            )}
          </ul>
        </>
      )}
    </Panel>
  );
};

/** A cell for each node, which leads to it; nodes of a compute group stand together. */
const Cells = ({ nodes }: { readonly nodes: readonly Node[] }) => (
  <ul className={css.nodeCells} aria-label={t`Nodes`}>
    {[...Map.groupBy(nodes, ({ group }) => group).values()]
      .flat()
      .slice(0, mostCells)
      .map((node) => (
        <li key={node.id}>
          <Link
            to="/nodes/$nodeId"
            params={{ nodeId: node.id }}
            aria-label={`${node.name}: ${stateWordInside(nodeStateName(node))}, ${node.running.length}/${node.slots}`}
          >
            <Cell group={[node]} />
          </Link>
        </li>
      ))}
  </ul>
);

const Line = ({ node, now }: { readonly node: Node; readonly now: number }) => {
  const state = nodeStateName(node);
  const { hue } = states[state];
  return (
    <li>
      <span className={classes(stateCss.state, stateCss[hue])}>
        <Glyph state={state} />
      </span>
      <Link to="/nodes/$nodeId" params={{ nodeId: node.id }}>
        <Words text={node.name} />
      </Link>
      <span className={classes(css.say, stateCss[hue === "run" ? "idle" : hue])}>{saysOf(node, state, now)}</span>
      {/* Slots that nobody hears of are neither free nor busy. */}
      {state !== "lost" && <Marks slots={node.slots} busy={node.running.length} />}
    </li>
  );
};

const saysOf = (node: Node, state: StateName, now: number): string => {
  if (state === "working") {
    const free = node.slots - node.running.length;
    return free > 0 ? plural(free, { one: "# slot free", other: "# slots free" }) : "";
  }
  if (state === "lost" || state === "late")
    return `${stateWordInside(state)} ${span(now - Date.parse(node.last_seen))}`;
  return stateWordInside(state);
};

const mostMarks = 8;

const Marks = ({ slots, busy }: { readonly slots: number; readonly busy: number }) =>
  slots > mostMarks ? (
    <span className={css.many}>
      {busy}/{slots}
    </span>
  ) : (
    <span className={css.marks} role="img" aria-label={t`${busy} of ${slots} slots busy`}>
      {Array.from({ length: slots }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks are all alike
        <span key={at} className={at < busy ? css.busy : undefined} />
      ))}
    </span>
  );
