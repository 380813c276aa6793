import { AppError } from "../../shared/basics/errors.ts";
import { revokeNode } from "../connections/revoke-node.ts";
import type { Handlers } from "../http/server.ts";
import { idOf } from "../jobs/job-ids.ts";
import { changeNode } from "../nodes/change-node.ts";
import { changeNetworkRules, readNetworkRules } from "../nodes/network-rules.ts";
import { buildNodeInfo } from "../nodes/node-info.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { nodeWithin } from "../views/reached.ts";

export const nodeHandlers = (farm: Nodes) =>
  ({
    listNodes: (_args, { reach }) => ({
      items: farm.registry.rows().map((row) => nodeWithin(farm, reach, buildNodeInfo(farm, row))),
    }),
    updateNode: async ({ node_id, ...change }, { reach }) => {
      await changeNode(farm, idOf(node_id), change);
      const row = farm.registry.row(idOf(node_id));
      if (!row) throw new AppError("NOT_FOUND", `There is no node ${node_id}`);
      return nodeWithin(farm, reach, buildNodeInfo(farm, row));
    },
    revokeNode: async ({ node_id }) => {
      await revokeNode(farm, idOf(node_id));
      return { id: node_id };
    },
    listOutbound: async () => ({ items: await readNetworkRules(farm) }),
    changeOutbound: async (change) => ({ items: await changeNetworkRules(farm, change) }),
  }) satisfies Partial<Handlers>;
