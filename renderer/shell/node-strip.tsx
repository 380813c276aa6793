import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Node } from "../../shared/model/node.ts";
import { nodeStateName, type StateName } from "../../shared/model/state-labels.ts";
import { nodesQuery } from "../data/queries.ts";
import { stateWord, stateWordInside } from "../language/words.ts";
import { classes } from "../ui/text/classes.ts";
import css from "./node-strip.module.css";
import { areNarrow, cellsIn, wantedWidth } from "./strip-cells.ts";

const worstFirst: readonly StateName[] = [
  "lost",
  "late",
  "quarantined",
  "probation",
  "draining",
  "paused",
  "inUse",
  "working",
  "idle",
  "off",
];

/** One cell per node in a fixed order, filled from below by its slots in use; of many nodes a cell shows the worst state. */
export const NodeStrip = () => {
  const strip = useRef<HTMLAnchorElement>(null);
  const width = useWidth(strip);
  const { data } = useQuery(nodesQuery);
  const nodes = data ?? [];
  const words = worstFirst
    .map((state) => [state, nodes.filter((node) => nodeStateName(node) === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${stateWordInside(state)}`);
  const label = `${plural(nodes.length, { one: "# node", other: "# nodes" })}${words.length > 0 ? `: ${words.join(", ")}` : ""}`;
  return (
    <Link
      ref={strip}
      to="/nodes"
      className={classes(css.strip, areNarrow(nodes, width) && css.narrow)}
      style={data && data.length > 0 ? { width: wantedWidth(nodes) } : undefined}
      aria-label={data ? label : t`Nodes`}
    >
      {cellsIn(nodes, width).map((cell) => (
        <Cell key={cell.nodes[0]?.id} group={cell.nodes} isFirst={cell.isFirst} />
      ))}
      {data?.length === 0 && (
        <span className={css.none}>
          <Trans>0 nodes</Trans>
        </span>
      )}
    </Link>
  );
};

/** How wide it is drawn. */
const useWidth = (of: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(element.offsetWidth));
    watch.observe(element);
    setWidth(element.offsetWidth);
    return () => watch.disconnect();
  }, [of]);
  return width;
};

/** One node, or several in their worst state, with its slots in use. */
export const Cell = ({ group, isFirst = false }: { readonly group: readonly Node[]; readonly isFirst?: boolean }) => {
  const found = group.map(nodeStateName);
  const state = worstFirst.find((each) => found.includes(each)) ?? "idle";
  const [busy, slots] = [sum(group.map(({ running }) => running.length)), sum(group.map(({ slots }) => slots))];
  const names = group.length === 1 ? group[0]?.name : plural(group.length, { one: "# node", other: "# nodes" });
  return (
    <span
      className={classes(css.cell, css[state], isFirst && css.first)}
      title={`${names?.slice(0, 80)}: ${stateWord(state)}, ${busy}/${slots}`}
    >
      <span style={{ height: `${slots > 0 ? Math.min(100, (busy / slots) * 100) : 0}%` }} />
    </span>
  );
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
