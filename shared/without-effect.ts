type Idle = { readonly within: RegExp; readonly fields: Readonly<Record<string, string>> };

/** What is accepted and changes nothing here, and why: fields by the end of the path of what holds them. */
const idle: readonly Idle[] = [
  {
    within: /\.(options|source_pipeline)$/,
    fields: {
      no_rewind: "every file is opened anew for each pass",
      low_latency: "every source is looked at before it is read",
      cache_ttl: "files are read where they lie, no node keeps copies",
      index_location: "no index files are made",
      auto_offset_sources: "the first instant of a source always counts as zero",
      accelerated_prores: "the node decides how it decodes",
    },
  },
  {
    within: /\.targets\[\d+\]$/,
    fields: {
      size_estimate: "no space is set aside",
    },
  },
  { within: /\.container$/, fields: { vendor: "files name the muxer that wrote them" } },
  {
    within: /\.video$/,
    fields: { smart_temporal_conversions: "another frame rate repeats frames or leaves some out" },
  },
  { within: /\.task$/, fields: { source_element_uids: "an element takes what comes along its connections" } },
  { within: /\.flags$/, fields: { split_task: "one task makes all targets in one decode" } },
];

/** What asks for nothing. */
const off: readonly unknown[] = [undefined, null, false, "false", 0, "0", "", "disabled"];

/** One sentence for each such field that is set: `source_pipeline.options.cache_ttl has no effect: …`. */
export const withoutEffect = (part: unknown, path: string): string[] => {
  if (typeof part !== "object" || part === null) return [];
  const known = idle.find(({ within }) => within.test(path))?.fields ?? {};
  return Object.entries(part).flatMap(([name, value]) => {
    const at = Array.isArray(part) ? `${path}[${name}]` : `${path}.${name}`;
    if (Object.hasOwn(known, name) && !off.includes(value)) return [`${at} has no effect: ${known[name]}`];
    return withoutEffect(value, at);
  });
};
