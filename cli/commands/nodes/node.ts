import type { Client } from "../../../shared/api/client.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Node } from "../../../shared/model/node.ts";
import { nodeStates } from "../../../shared/state/node.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { numberFlag, parseChoice, tagsFlag, textFlag, type Values } from "../../terminal/flags.ts";
import type { Output } from "../../terminal/output.ts";
import { formatTable } from "../../text/table.ts";
import { agoText } from "../../text/time.ts";
import { plain } from "../../text/width.ts";
import { nodeColumns } from "./node-table.ts";

/** Shows or changes one node. */
export const node: ParsedCommand = {
  details: "With drain and paused, running tasks finish and no new ones start; active takes tasks again.",
  flags: {
    state: { type: "string", value: "STATE", offers: nodeStates, help: `One of ${nodeStates.join(", ")}.` },
    tags: { type: "string", value: "a,b", help: "The node's new tags; they override the agent's own." },
    revoke: { type: "boolean", help: "Revoke its key for good: it can no longer connect." },
    group: { type: "string", value: "NAME", help: "Its compute group; - for none." },
    slots: { type: "string", value: "N", help: "How many tasks it may run in parallel." },
  },
  examples: [
    ["mediafarm node 3", "shows the node's state, folders, mounts and tools"],
    ["mediafarm node 3 --revoke", "for a machine that was lost or sold"],
    ["mediafarm node 3 --state drain", "its running tasks finish, and it gets no new ones"],
  ],
  check: exactly(1, "node", "one node's ID"),
  run: async ({ values, positionals: [id = ""], output, world, client: open }) => {
    const change = changeOf(values);
    const client = open();
    if (values.revoke) {
      const revoked = await client.revokeNode({ node_id: id });
      output.answer(revoked, `Node ${id} is revoked: its tasks go to other nodes, and it can no longer connect.\n`);
      return 0;
    }
    const found = change ? await client.updateNode({ node_id: id, ...change }) : await oneOf(client, id);
    output.answer(found, describe(found, output, world.clock.now()));
    return 0;
  },
};

const changeOf = (values: Values) => {
  const state = textFlag(values, "state");
  const change = {
    state: state === undefined ? undefined : parseChoice("state", state, nodeStates),
    tags: tagsFlag(values, "tags"),
    slots: numberFlag(values, "slots", 1024),
    group: groupOf(textFlag(values, "group")),
  };
  return Object.values(change).some((each) => each !== undefined) ? change : undefined;
};

const groupOf = (text: string | undefined): string | null | undefined => (text === "-" ? null : text);

const oneOf = async (client: Client, id: string): Promise<Node> => {
  const found = (await client.listNodes({})).items.find((each) => each.id === id);
  if (!found) throw new AppError("NOT_FOUND", `There is no node ${id}`);
  return found;
};

const describe = (found: Node, output: Output, now: number): string => {
  const { machine, ffmpeg, roots, mounts, enrolled, last_seen: seen } = found;
  const lines = [
    ["Machine", `${machine.os}, ${machine.cpu}, ${machine.cores} cores, ${(machine.memory / 1e9).toFixed(1)} GB`],
    ["ffmpeg", ffmpeg ? `${ffmpeg.version} at ${ffmpeg.path}` : "none"],
    ["Folders", roots.join(", ") || "none"],
    ["Own mounts", mounts.map(({ prefix, folder }) => `${prefix} = ${folder}`).join(", ") || "none"],
    ["Group", found.group ?? "none"],
    ...(found.lending ? [["Lending", found.lending.why]] : []),
    ...(found.health.why ? [["Trust", `${found.health.state}: ${found.health.why}`]] : []),
    ["Joined", agoText(enrolled, now)],
    ["Last heard", agoText(seen, now)],
  ];
  const text = lines.map(([title = "", words = ""]) => `${title.padEnd(12)}${plain(words)}`).join("\n");
  return `${formatTable(nodeColumns(output.paint), [found], output.width)}\n${text}\n`;
};
