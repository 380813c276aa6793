/** Decode options that are accepted and change nothing here, and why. */
const idle: Readonly<Record<string, string>> = {
  no_rewind: "every file is opened anew for each pass",
  low_latency: "every source is looked at before it is read",
  cache_ttl: "files are read where they lie, no node keeps copies",
  index_location: "no index files are made",
  auto_offset_sources: "the first instant of a source always counts as zero",
  accelerated_prores: "the node decides how it decodes",
};

/** One sentence for each such option that some payload sets: `source_pipeline.options.cache_ttl has no effect: …`. */
export const withoutEffect = (payload: unknown, path: string): string[] => {
  if (typeof payload !== "object" || payload === null) return [];
  return Object.entries(payload).flatMap(([name, value]) => {
    const at = Array.isArray(payload) ? `${path}[${name}]` : `${path}.${name}`;
    const isOption = /\.(options|source_pipeline)$/.test(path) && Object.hasOwn(idle, name);
    if (isOption && value && value !== "false") return [`${at} has no effect: ${idle[name]}`];
    return withoutEffect(value, at);
  });
};
