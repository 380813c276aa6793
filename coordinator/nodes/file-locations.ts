/** The number of remembered addresses, and of nodes for each: the latest ones. */
const mostAddresses = 20_000;
const mostNodes = 4;

/**
 * Which nodes made or fetched a file, in memory alone: after a restart nothing is known, and all nodes are equal.
 */
export const createFileLocations = () => {
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
    of: (uri: string): readonly number[] => known.get(uri) ?? [],
  };
};

export type FileLocations = ReturnType<typeof createFileLocations>;
