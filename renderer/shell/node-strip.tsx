import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Node } from "../../shared/node.ts";
import { nodeStateName, type StateName } from "../../shared/state/labels.ts";
import { nodesQuery } from "../data/queries.ts";
import { stateWord, stateWordInside } from "../language/words.ts";
import { classes } from "../ui/classes.ts";
import css from "./node-strip.module.css";

/** More cells than this are unreadable: then a cell is a group in its worst state. */
const mostCells = 96;
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
];

/** One cell per node in a fixed order; filled from below by its slots in use. */
export const NodeStrip = () => {
  const { data } = useQuery(nodesQuery);
  const nodes = data ?? [];
  const words = worstFirst
    .map((state) => [state, nodes.filter((node) => nodeStateName(node) === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${stateWordInside(state)}`);
  const label = `${plural(nodes.length, { one: "# node", other: "# nodes" })}${words.length > 0 ? `: ${words.join(", ")}` : ""}`;
  return (
    <Link to="/nodes" className={css.strip} aria-label={data ? label : t`Nodes`}>
      {cellsOf(nodes).map(({ cell, isFirst }) => (
        <Cell key={cell[0]?.id} group={cell} isFirst={isFirst} />
      ))}
      {data?.length === 0 && (
        <span className={css.none}>
          <Trans>0 nodes</Trans>
        </span>
      )}
    </Link>
  );
};

const Cell = ({ group, isFirst }: { readonly group: readonly Node[]; readonly isFirst: boolean }) => {
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

/** Nodes of a compute group stand together; a gap divides it from the next one. */
const cellsOf = (nodes: readonly Node[]): { cell: readonly Node[]; isFirst: boolean }[] => {
  const groups = [...Map.groupBy(nodes, ({ group }) => group).values()];
  const size = Math.max(1, Math.ceil(nodes.length / mostCells));
  return groups.flatMap((group, nr) =>
    Array.from({ length: Math.ceil(group.length / size) }, (_, at) => ({
      cell: group.slice(at * size, (at + 1) * size),
      isFirst: nr > 0 && at === 0,
    })),
  );
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
