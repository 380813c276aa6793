/**
 * Compares the speeds of nodes. Pure: works on what attempts took, by kinds of work whose costs can be compared (time for
 * each pixel, for each second of media, or for each task).
 */
export type Measured = {
  readonly nodeId: number;
  /** The kind of work. */
  readonly work: string;
  /** Time for one unit of it; only its ratio to others of the same work says anything. */
  readonly cost: number;
};

export type Pace = {
  /** How many times as fast as the farm's nodes usually are; undefined if too little is known. */
  readonly speed: number | undefined;
  /** The same in comparison with the other nodes of its kind. */
  readonly kind: { readonly speed: number; readonly nodes: number } | undefined;
  /** Attempts that say so. */
  readonly samples: number;
};

/** With fewer attempts of a node, or of those it is compared with, nothing is said. */
export const fewestSamples = 5;

/** How fast each node is. `kindOf`: what its machine is; machines of one kind should be equally fast. */
export const comparePaces = (
  all: readonly Measured[],
  kindOf: ReadonlyMap<number, string>,
): ReadonlyMap<number, Pace> => {
  const byWork = Map.groupBy(all, ({ work }) => work);
  const usual = new Map([...byWork].map(([work, list]) => [work, costsByNode(list)]));
  return new Map(
    [...Map.groupBy(all, ({ nodeId }) => nodeId)].map(([nodeId, own]) => {
      const ofFarm = ratios(own, (work) => usual.get(work) ?? []);
      const isPeer = (other: NodeCost) => other.nodeId !== nodeId && kindOf.get(other.nodeId) === kindOf.get(nodeId);
      const peers = (work: string) => (usual.get(work) ?? []).filter(isPeer);
      const ofKind = kindOf.get(nodeId) === undefined ? [] : ratios(own, peers);
      const works = new Set(own.map(({ work }) => work));
      const others = [...works].flatMap(peers);
      const known = others.reduce((sum, { samples }) => sum + samples, 0);
      const speed = ofKind.length >= fewestSamples && known >= fewestSamples ? middle(ofKind) : undefined;
      return [
        nodeId,
        {
          speed: own.length >= fewestSamples ? middle(ofFarm) : undefined,
          kind: speed === undefined ? undefined : { speed, nodes: new Set(others.map((each) => each.nodeId)).size },
          samples: own.length,
        },
      ] as const;
    }),
  );
};

/** What a machine is: those that are alike are of one kind. */
export const machineKind = ({
  cpu,
  cores,
  gpus = 0,
}: {
  readonly cpu: string;
  readonly cores: number;
  readonly gpus?: number | undefined;
}): string => `${cpu.trim().replaceAll(/\s+/g, " ")}, ${cores}, ${gpus}`;

type NodeCost = { readonly nodeId: number; readonly cost: number; readonly samples: number };

/** What the work costs each node: who did it often does not outweigh the others. */
const costsByNode = (list: readonly Measured[]): NodeCost[] =>
  [...Map.groupBy(list, ({ nodeId }) => nodeId)].map(([nodeId, own]) => ({
    nodeId,
    cost: middle(own.map(({ cost }) => cost)) ?? 1,
    samples: own.length,
  }));

/** How many times as fast each attempt was as these nodes usually are at that work. */
const ratios = (own: readonly Measured[], others: (work: string) => readonly NodeCost[]): number[] =>
  own.flatMap(({ work, cost }) => {
    const usual = middle(others(work).map((each) => each.cost));
    return usual === undefined || cost <= 0 ? [] : [usual / cost];
  });

const middle = (values: readonly number[]): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
};
