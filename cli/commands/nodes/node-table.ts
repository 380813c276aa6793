import type { Node } from "../../../shared/model/node.ts";
import { nodeStateName, states } from "../../../shared/model/state-labels.ts";
import type { Paint } from "../../text/paint.ts";
import { stateText } from "../../text/states.ts";
import type { Column } from "../../text/table.ts";

/** A node in one line: its state and what it runs. */
export const nodeColumns = (paint: Paint): Column<Node>[] => [
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
