import { AppError } from "../../shared/errors.ts";
import type { Handlers } from "../http/server.ts";
import { changeNode } from "../work/change-node.ts";
import type { Farm } from "../work/farm.ts";
import { nodeInfoOf } from "../work/nodes.ts";
import { revokeNode } from "../work/revoke-node.ts";
import { idOf } from "./jobs.ts";

export const nodeHandlers = (farm: Farm) =>
  ({
    listNodes: () => ({ items: farm.registry.rows().map((row) => nodeInfoOf(farm, row)) }),
    updateNode: async ({ node_id, state, tags, slots, group }) => {
      await changeNode(farm, idOf(node_id), { state, tags, slots, group });
      const row = farm.registry.row(idOf(node_id));
      if (!row) throw new AppError("NOT_FOUND", `There is no node ${node_id}`);
      return nodeInfoOf(farm, row);
    },
    revokeNode: async ({ node_id }) => {
      await revokeNode(farm, idOf(node_id));
      return { id: node_id };
    },
  }) satisfies Partial<Handlers>;
