/** What a result says of the job of `result-documents.test.ts`, from the parts that its documents share. */

export const at = (time: string): string => `2026-11-01T00:00:${time}Z`;

const locationOf = (path: string) => ({ storage_provider: "file", path });
const ticks = { duration: 10, duration_otb: 1_411_200_000, first_pts: 0, first_pts_otb: 0 };

const mediaInfo = (url: string, modified: number) => [
  {
    ...{ stream_type: "ASSET", ...ticks, bit_per_sec: 800_000, stream_size: 1_000_000 },
    ASSET: {
      ...{ url, format: "mp4", total_size: 1_000_000, content_type: "video/quicktime", modified },
      probe_style: "deep",
    },
  },
  {
    ...{ stream_type: "VIDEO", ...ticks, id: 1, index: 0, sub_index: 0, codec: "h264", bit_per_sec: 700_000 },
    ...{ encoder: "Lavc61 libx264", stream_size: 875_000, delay_ms: 0, frame_rate: 25, frame_duration_otb: 5_644_800 },
    ...{ frames: 250, codec_profile: "High@L4.1" },
    VIDEO: {
      ...{ width: 720, height: 576, clean_aperture_width: 720, clean_aperture_height: 576, format: "AVC" },
      ...{ bit_resolution: 8, bits_per_pixel: 8, encoded_bits_per_pixel: 0.068, chroma_subsampling: "CS_420" },
      ...{ color_space: "YUV", color_range: "Limited", framerate_mode: "CONSTANT", interlace_mode: "PROGRESSIVE" },
      ...{ pixel_ar: 1, pixel_ar_exact: "16/15", display_ar: 1.333333, has_bframes: true, timecode: "01:00:00:00" },
    },
  },
  {
    ...{ stream_type: "AUDIO", ...ticks, id: 2, index: 1, sub_index: 0, codec: "aac", bit_per_sec: 96_000 },
    ...{ duration: 10.01, duration_otb: 1_412_611_200, stream_size: 120_120, delay_ms: 0, frame_rate: 48_000 },
    ...{ frame_duration_otb: 2940, first_dts: 0, first_dts_otb: 0, codec_profile: "LC" },
    AUDIO: { nr_channels: 2, channel_order: "L R", designators: ["L", "R"], language: "eng" },
  },
];

const modified = 1_790_000_000_123;

const component = (folder: string, mtime: number, more: { creator?: object; descriptor?: object } = {}) => {
  const url = `file://${folder}/in.mov`;
  return {
    ...{ kind: "name", name: "in.mov", component_uid: "asset_0", ...more.creator, url, location: locationOf(folder) },
    descriptor: {
      ...{ size: 1_000_000, mtime: new Date(mtime).toISOString(), ...more.descriptor },
      ...{ provider: "file", location: url },
    },
    media_analyze: { media_info: mediaInfo(url, mtime) },
  };
};

/** A version that an element gives on, with what players need to know of it. */
export const version = (folder: string, mtime: number, checked: string) => ({
  ...{ version_uid: "src", creator_uid: "src", location: locationOf(folder) },
  asset_descriptor: {
    ...{ hls_mime: "avc1.640029,mp4a.40.2", hls_frame_rate: 25, avg_bitrate_bps: 800_000 },
    video: { hls_mime: "avc1.640029", width: 720, height: 576 },
    audio: [{ hls_mime: "mp4a.40.2" }],
  },
  asset_components: [
    component(folder, mtime, { creator: { creator_uid: "src" }, descriptor: { checked: Date.parse(checked) } }),
  ],
});

/** One run of a task on the only node. */
const run = (nr: number, what: object) => ({
  ...{ report: [], events: [] },
  ...what,
  details: {
    ...{ task_id: nr === 1 ? 1 : 2, sub_task_id: nr === 1 ? "1_s1" : `2_s${nr}`, machine_id: 1, service_id: 1 },
    ...{ machine_name: "n1", sys_mem_mb: 954, sys_cpu_count: 2 },
  },
});

type Task = { readonly id: number; readonly uid: string; readonly kind: string; readonly payload: object };

/** A task that had its runs: what it was, what it made, and from what. */
const task = ({ id, uid, kind, payload }: Task, made: readonly object[], from: string, history: readonly object[]) => ({
  ...{ id, priority: 120, retry_nr: id - 1, retry_nr_aog: 0, max_retry_count_aog: 10, hint_name: `Rushes - ${uid}` },
  ...{ related_asset_id: null, kind, name: `Rushes - ${uid}`, retry_count: id - 1, uid, element_name: uid },
  ...{ creation_time: at(`0${id - 1}.000`), fetcher_id: 1 },
  config: { uid, kind: uid === "src" ? "source" : "copy", name: `Rushes - ${uid}`, payload },
  documents: [
    {
      connector: "Output",
      result_payload: {
        kind: "asset_complex",
        payload: { kind: "multi", creator_uid: uid, asset_versions: made },
        meta: { history: [] },
      },
      result_extended_payload: {
        sources: [
          {
            kind: "asset_complex",
            asset_versions: [{ version_uid: from, asset_components: [component("/media", modified)] }],
          },
        ],
        logs: { history, encode_args: { asset_versions: {} } },
      },
    },
  ],
});

const used = { wall_ms: 2000, cpu_ms: 1000, avg_cpu_load: 25 };
/** What the copy's program used, where it came to its end. */
export const copyStats = { ...used, sys_mem_used_mb: { max: 10 } };

const source = {
  ...task(
    {
      ...{ id: 1, uid: "src", kind: "Source" },
      payload: { kind: "asset_url", payload: { storage_provider: "file", url: "file:///media/in.mov" } },
    },
    [version("/media", modified, at("01.000"))],
    "0",
    [
      run(1, {
        ...{ task: "source", action: "Rushes - src", state: "published", duration_sec: 1 },
        ...{ started: at("00.000"), completed: at("01.000"), stats: { wall_ms: 40, cpu_ms: 20, avg_cpu_load: 25 } },
      }),
    ],
  ),
  ...{ status: "completed", assigned: at("00.000"), completed: at("01.000") },
};

const firstRun = run(2, {
  ...{ task: "copy", action: "Rushes - copy", state: "failed", report: ["media broke"], duration_sec: 3 },
  ...{ started: at("01.000"), completed: at("04.000"), stats: copyStats },
});

const copy = {
  ...{ id: 2, uid: "copy", kind: "Copy" },
  payload: { target: { location: { ...locationOf("/out"), access: "(hidden)" } } },
};

export const firstError = {
  ...{ task_instance_id: 2, retry_nr: 0, machine_fetcher_id: 1, result_define: "SYS_TSK_FFMPEG_ERROR", cause: "media" },
  ...{ message: "media broke", details: "", diagnostic: "", exit_code: null, recoverable_error: 1 },
  ...{
    advice: "Check the log: the media cannot be processed.",
    assigned: at("01.000"),
    result_committed: at("04.000"),
  },
};
/** What the second run shares with the first, where it fails as well. */
export const lastError = {
  ...{ ...firstError, retry_nr: 1, recoverable_error: 0, assigned: at("09.000"), result_committed: at("14.000") },
};

type Ending = {
  readonly errors: readonly object[];
  readonly job: object;
  readonly copy: object;
  readonly lastRun: object;
  readonly made?: readonly object[];
};

/** The whole document of a job whose copy is in, or at the end of, its second run. */
export const expectedResult = ({ errors, job, copy: state, lastRun, made = [] }: Ending) => ({
  errors,
  job: {
    ...{ id: 1, job_class: 0, is_api_job: 1, priority: 120, creation_time: at("00.000"), flags: 0, user_tag: "reel 7" },
    ...{ task_count: 2, name: "Rushes", first_started: at("00.000") },
    warnings: ["payload.surprise is not known and has no effect"],
    ...job,
  },
  tasks: [
    source,
    {
      ...task(copy, made, "0_0", [
        firstRun,
        run(3, { task: "copy", action: "Rushes - copy", started: at("09.000"), ...lastRun }),
      ]),
      ...{ assigned: at("09.000"), ...state },
    },
  ],
});
