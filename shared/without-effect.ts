type Idle = {
  readonly within: RegExp;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the fields change nothing in this very object; always where absent. */
  readonly holds?: (part: Readonly<Record<string, unknown>>) => boolean;
};

/** Fields that change nothing when they are switched off, though they are kept when they are switched on. */
const switchedOff: readonly Idle[] = [
  { within: /\.payload$/, fields: { include_in_result: "a result names every file that was made" } },
  { within: /\.video$/, fields: { first_gop_closed: "the first group of pictures needs no other one in any case" } },
];

const isAac = ({ codec }: Readonly<Record<string, unknown>>) => /^(mpeg[24]_aac|aac|aac_lc)$/.test(String(codec));

/** What is accepted and changes nothing here, and why: fields by the end of the path of what holds them. */
const idle: readonly Idle[] = [
  {
    within: /\.(report|reports\[\d+\])$/,
    fields: { temp_location: "reports are small, and made where they go" },
  },
  {
    within: /\.(report|reports\[\d+\])\.options$/,
    fields: {
      report_version: "there is one form of reports",
      header_mask: "reports have no header of others",
      use_timecode: "reports tell times in seconds",
    },
  },
  { within: /\.ebur128$/, fields: { scale_meter: "no meter is drawn" } },
  {
    within: /\.pse$/,
    fields: {
      standard: "one filter looks for flashes, which is no certified test",
      report: "what is found stands in the element's report",
    },
  },
  {
    within: /\.(options|source_pipeline)$/,
    fields: {
      no_rewind: "every file is opened anew for each pass",
      low_latency: "every source is looked at before it is read",
      index_location: "no index files are made",
      auto_offset_sources: "the first instant of a source always counts as zero",
      accelerated_prores: "the node decides how it decodes",
    },
  },
  {
    within: /\.source_pipeline(\.options)?$/,
    fields: { cache_ttl: "the options of the source say how long nodes keep copies of its files" },
  },
  {
    within: /\.targets\[\d+\]$/,
    fields: {
      size_estimate: "no space is set aside",
      size_hint: "no space is set aside",
    },
  },
  {
    within: /\.targets\[\d+\]$/,
    fields: { extenc_args_compliance: "arguments are read as the fields that they stand for" },
    holds: ({ extenc_args_compliance: kind }) => kind !== "strict" && kind !== "relaxed",
  },
  {
    within: /\.payload$/,
    fields: { ttml_render_engine: "libass draws all subtitles" },
    holds: ({ imprint_style }) => imprint_style !== undefined,
  },
  {
    within: /\.container$/,
    fields: {
      vendor: "files name the muxer that wrote them",
      align_to_av_media: "subtitles are always cut where their media are",
    },
  },
  {
    within: /\.video$/,
    fields: { smart_temporal_conversions: "another frame rate repeats frames or leaves some out" },
  },
  {
    within: /\.audio\[\d+\]$/,
    fields: { bitrate_mode: "the encoder of AAC aims at the average in either mode" },
    holds: isAac,
  },
  {
    within: /\.vendor_digital(_plus)?$/,
    fields: { phase_shift_90_degree: "the open encoders of AC-3 leave the phase as it is" },
  },
  { within: /\.task$/, fields: { source_element_uids: "an element takes what comes along its connections" } },
  { within: /\.flags$/, fields: { split_task: "one task makes all targets in one decode" } },
];

/** What asks for nothing. */
const off: readonly unknown[] = [undefined, null, false, "false", 0, "0", "", "disabled"];

/** One sentence for each such field that is set: `source_pipeline.options.cache_ttl has no effect: …`. */
export const withoutEffect = (part: unknown, path: string): string[] => {
  if (typeof part !== "object" || part === null) return [];
  const fields: Readonly<Record<string, unknown>> = { ...part };
  const isHere = ({ within, holds }: Reason) => within.test(path) && (holds?.(fields) ?? true);
  return Object.entries(part).flatMap(([name, value]) => {
    const at = Array.isArray(part) ? `${path}[${name}]` : `${path}.${name}`;
    const table = off.includes(value) ? (isFalse(value) ? switchedOffFields : undefined) : idleFields;
    const why = table?.get(name)?.findLast(isHere)?.why;
    return why === undefined ? withoutEffect(value, at) : [`${at} has no effect: ${why}`];
  });
};

const isFalse = (value: unknown): boolean => value === false || value === "false";

type Reason = Pick<Idle, "within" | "holds"> & { readonly why: string };

/** Field -> what is said of it, and where. */
const byField = (table: readonly Idle[]): ReadonlyMap<string, readonly Reason[]> =>
  Map.groupBy(
    table.flatMap(({ fields, ...where }) => Object.entries(fields).map(([name, why]) => ({ name, why, ...where }))),
    ({ name }) => name,
  );
const [idleFields, switchedOffFields] = [byField(idle), byField(switchedOff)];
