import type { Farm } from "../../../coordinator/farm.ts";
import { fenceOf } from "../../../coordinator/store/rows.ts";
import { fenceKey } from "../../../shared/protocol/messages.ts";
import type { Invariant } from "./invariant.ts";
import { storeOf } from "./requests.ts";

/** Attempts that are counted for a node and not open, and those that are open and not counted. */
const miscounted = ({ registry, values }: Farm): string[] => {
  const counted = new Set(registry.running().map(({ node, held }) => `${fenceKey(held.fence)} on node ${node.id}`));
  const open = new Set(values.openAttempts().map((each) => `${fenceKey(fenceOf(each))} on node ${each.node_id}`));
  return [
    ...[...counted].filter((each) => !open.has(each)).map((each) => `${each} takes a slot, and is not open`),
    ...[...open].filter((each) => !counted.has(each)).map((each) => `${each} is open, and takes no slot`),
  ];
};

export const slots: readonly Invariant[] = [
  {
    name: "counted slots",
    says: "What the coordinator counts as running on a node is what its open attempts say, and once everything has ended, every slot is free.",
    check: (seen) => ({
      settled: miscounted,
      ended: () => {
        const farm = seen.farm();
        if (!farm) return ["the coordinator is not up"];
        const claimed = storeOf(seen).tasks.flatMap(({ id }) =>
          farm.registry
            .rows()
            .flatMap((node) => (farm.registry.isClaimed(node.id, id) ? [`task ${id} on node ${node.id}`] : [])),
        );
        return [...miscounted(farm), ...claimed.map((each) => `${each} still takes a slot, and is not assigned`)];
      },
    }),
  },
];
