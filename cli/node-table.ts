import type { Node } from "../shared/node.ts";
import { nodeStateName, states } from "../shared/state/labels.ts";
import type { Output } from "./output.ts";
import type { Paint } from "./text/paint.ts";
import { stateText } from "./text/states.ts";
import { type Column, formatTable } from "./text/table.ts";

/** A line a node: how it stands and what it runs. */
export const nodeTable = (nodes: readonly Node[], { paint, width }: Pick<Output, "paint" | "width">): string =>
  formatTable(columns(paint), nodes, width);

const columns = (paint: Paint): Column<Node>[] => [
  { title: "ID", text: ({ id }) => id, align: "right" },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  {
    title: "NOW",
    text: (node) => stateText(nodeStateName(node)),
    paint: (text, node) => paint(states[nodeStateName(node)].hue, text),
  },
  { title: "PRESENCE", text: ({ presence }) => presence },
  { title: "STATE", text: ({ state }) => state },
  { title: "SLOTS", text: ({ running, slots }) => `${running.length}/${slots}`, align: "right" },
  { title: "TAGS", text: ({ tags }) => tags.join(","), shrinks: true },
  {
    title: "RUNS",
    text: ({ running }) =>
      running.map(({ job_id, name, progress }) => `${name} (job ${job_id}) ${Math.floor(progress)} %`).join(", "),
    shrinks: true,
  },
];
