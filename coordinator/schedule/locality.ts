import { isRemote } from "../../shared/files/storage.ts";
import type { NodeFacts } from "./node-facts.ts";
import type { OpenTask } from "./open-task.ts";
import { coversAsFile } from "./reach.ts";

/** The nodes that made the file of an address, or fetched it. */
export type NodesNear = (uri: string) => readonly number[];

/** How many of the task's inputs are close to the node: made or fetched there, or remote and covered by a root or mount. */
export const closeInputs = (node: NodeFacts, { inputs = [] }: Pick<OpenTask, "inputs">, nodesNear: NodesNear): number =>
  inputs.filter((uri) => nodesNear(uri).includes(node.id) || (isRemote(uri) && coversAsFile(uri, node.prefixes)))
    .length;

/** Whether nothing is known of the inputs that could make one node better than another. */
export const isAlikeEverywhere = ({ inputs = [] }: Pick<OpenTask, "inputs">, nodesNear: NodesNear): boolean =>
  !inputs.some((uri) => isRemote(uri) || nodesNear(uri).length > 0);

/**
 * Of these places the one that is closest to the task's inputs; the first of equals. Nobody waits for a closer node: only
 * those that could take the task now are asked.
 */
export const closest = <P extends { readonly node: NodeFacts }>(
  task: OpenTask,
  [first, ...others]: readonly [P, ...P[]],
  nodesNear: NodesNear,
  couldTake: (place: P) => boolean,
): P => {
  let [best, most] = [first, closeInputs(first.node, task, nodesNear)];
  for (const place of others) {
    const close = closeInputs(place.node, task, nodesNear);
    if (close > most && couldTake(place)) [best, most] = [place, close];
  }
  return best;
};
