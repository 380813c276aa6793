/** Processor time that `sample` takes on a quiet machine like the one that the limits were chosen on. */
const usualMs = 1;

const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `task ${id}`, tags: ["ffmpeg", `node-${id % 7}`] }));

/** A work that is always the same, of the kinds that a coordinator does. */
const sample = (): number => {
  const byTag = new Map<string, number>();
  for (const { id, tags } of JSON.parse(JSON.stringify(rows)) as typeof rows)
    for (const tag of tags) byTag.set(tag, (byTag.get(tag) ?? 0) + id);
  return byTag.size;
};

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/**
 * How many times longer than usual this thread needs just now for the same work, at least 1: where two programs share a
 * core's units, or the machine is a slower one, processor time is worth less. A work whose time is divided by this is
 * judged alike everywhere.
 */
export const slowness = (): number => {
  const tries = Array.from({ length: 3 }, () => {
    const begun = processorMs();
    sample();
    return processorMs() - begun;
  });
  return Math.max(1, Math.min(...tries) / usualMs);
};
