/** So many addresses are remembered, and so many nodes of each: the latest. */
const mostAddresses = 20_000;
const mostNodes = 4;

/**
 * Which nodes made a file, or fetched it, in memory alone: after a restart nothing is known, and all nodes are alike.
 */
export const createWhereabouts = () => {
  const known = new Map<string, readonly number[]>();
  return {
    note: (uri: string, nodeId: number): void => {
      const before = known.get(uri) ?? [];
      known.delete(uri);
      known.set(uri, [nodeId, ...before.filter((id) => id !== nodeId)].slice(0, mostNodes));
      const [oldest] = known.keys();
      if (known.size > mostAddresses && oldest !== undefined) known.delete(oldest);
    },
    /** The latest first. */
    of: (uri: string): readonly number[] => known.get(uri) ?? none,
  };
};

export type Whereabouts = ReturnType<typeof createWhereabouts>;

const none: readonly number[] = [];
