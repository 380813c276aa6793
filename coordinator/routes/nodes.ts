import { AppError } from "../../shared/errors.ts";
import type { Handlers } from "../http/server.ts";
import { assignReady } from "../work/assign.ts";
import type { Farm } from "../work/farm.ts";
import { nodeInfoOf, publishNode } from "../work/nodes.ts";
import { idOf } from "./jobs.ts";

export const nodeHandlers = (farm: Farm): Pick<Handlers, "listNodes" | "updateNode"> => ({
  listNodes: () => ({ items: farm.registry.rows().map((row) => nodeInfoOf(farm, row)) }),
  updateNode: async ({ node_id, state, tags, slots }) => {
    const row = await farm.change(() => {
      farm.stores.nodes.update(idOf(node_id), { state, tags, slots });
      return farm.stores.nodes.get(idOf(node_id));
    });
    if (!row) throw new AppError("NOT_FOUND", `There is no node ${node_id}`);
    farm.registry.put(row, farm.clock.monotonic());
    publishNode(farm, row.id);
    assignReady(farm);
    return nodeInfoOf(farm, row);
  },
});
