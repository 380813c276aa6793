import type { Node } from "../../shared/model/node.ts";

/** More cells than this are unreadable, however much room there is. */
const mostCells = 96;
/** Pixels of a cell with its gap, usual and narrow, of the gap between groups, and around all of them. */
const [usualWidth, narrowWidth, groupGap, around] = [14, 10, 6, 6];

/** A cell stands for one node, or for several of a group where there is no room for each. */
export type StripCell = {
  readonly nodes: readonly Node[];
  /** A gap divides its group from the one before. */
  readonly isFirst: boolean;
};

/** How wide a strip of these nodes likes to be. */
export const wantedWidth = (nodes: readonly Node[]): number => widthWith(nodes, usualWidth);

const widthWith = (nodes: readonly Node[], cellWidth: number): number =>
  around + Math.min(mostCells, nodes.length) * cellWidth + (groupsOf(nodes).length - 1) * groupGap;

/** Cells are narrow before nodes share them. */
export const areNarrow = (nodes: readonly Node[], width: number): boolean => width < wantedWidth(nodes);

/** The cells that fit into so many pixels: nodes of a compute group stand together, as few to a cell as possible. */
export const cellsIn = (nodes: readonly Node[], width: number): readonly StripCell[] => {
  const groups = groupsOf(nodes);
  const cellWidth = areNarrow(nodes, width) ? narrowWidth : usualWidth;
  const room = Math.floor((width - around - (groups.length - 1) * groupGap) / cellWidth);
  const most = Math.max(groups.length, Math.min(mostCells, room));
  const countWith = (size: number) => groups.reduce((sum, { length }) => sum + Math.ceil(length / size), 0);
  let size = 1;
  while (countWith(size) > most) size += 1;
  return groups.flatMap((group, nr) =>
    Array.from({ length: Math.ceil(group.length / size) }, (_, at) => ({
      nodes: group.slice(at * size, (at + 1) * size),
      isFirst: nr > 0 && at === 0,
    })),
  );
};

const groupsOf = (nodes: readonly Node[]): (readonly Node[])[] => [
  ...Map.groupBy(nodes, ({ group }) => group).values(),
];
