import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName, type StateName, states } from "../../../shared/model/state-labels.ts";
import { stateWordInside } from "../../language/words.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { classes } from "../../ui/text/classes.ts";
import { span } from "../../ui/text/format.ts";
import { Glyph } from "../../ui/text/glyph.tsx";
import { Empty } from "../../ui/text/notice.tsx";
import stateCss from "../../ui/text/state.module.css";
import { Words } from "../../ui/text/words.tsx";
import css from "./overview.module.css";

const most = 48;

/** Every node with its slots; unusual states are named. */
export const NodeList = ({ nodes, now }: { readonly nodes: readonly Node[]; readonly now: number }) => (
  <Panel
    title={t`All nodes`}
    count={nodes.length}
    aid={
      <span className={css.quiet}>
        <Trans>one mark a slot, filled = busy</Trans>
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
      <ul className={css.nodes}>
        {nodes.slice(0, most).map((node) => (
          <Line key={node.id} node={node} now={now} />
        ))}
        {nodes.length > most && (
          <li>
            <Link to="/nodes">
              <Trans>and {nodes.length - most} more</Trans>
            </Link>
          </li>
        )}
      </ul>
    )}
  </Panel>
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
      <Marks slots={node.slots} busy={node.running.length} />
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
