/** How an attribute of a destination is read, and the target field it becomes. */
type Field = {
  readonly attribute: string;
  readonly path: readonly string[];
  /** The field's value; undefined: not set. */
  readonly value: (number: number) => unknown;
};

const same = (value: number): number => value;
const positive = (value: number): number | undefined => (value > 0 ? value : undefined);
const flag = (value: number): boolean => value !== 0;
const thousandth = (value: number): number => value / 1000;
const oneOf =
  (...names: readonly (string | undefined)[]) =>
  (value: number): string | undefined =>
    names[value];

const field = (attribute: string, path: string, value: Field["value"] = same): Field => ({
  ...{ attribute, path: path.split("."), value },
});

/** Of the picture and the file. If the table says `positive`, zero means automatic. */
export const destinationFields: readonly Field[] = [
  field("CML_V_SizeX", "video.width", positive),
  field("CML_V_SizeY", "video.height", positive),
  field("FrameRate", "video.frame_rate", positive),
  field("interlace_mode", "video.interlace_mode", oneOf("tff", "bff", "progressive")),
  field("Profile", "video.profile", oneOf("baseline", "main", "high", "high")),
  field("Level", "video.level", (value) => (value > 0 ? (value / 10).toFixed(1) : undefined)),
  field("number_of_passes", "nr_of_passes", positive),
  field("CML_V_BitrateAvg", "video.bitrate_kb", positive),
  field("CML_V_BitrateMax", "video.max_bitrate_kb", positive),
  field("vbv_buffer_size", "video.vbv_buffer_size_kb", positive),
  field("idr_interval", "video.max_gop_frames", positive),
  field("min_idr_interval", "video.min_gop_frames", positive),
  field("enable_scene_change_detection", "video.use_scene_detection", flag),
  field("muxrate", "container.muxrate_kb", positive),
  field("PCR_PID", "container.pcr_pid", positive),
  field("PMT_PID", "container.pmt_pid", positive),
  field("VideoPID", "video.pid", positive),
  field("pat_repeat_rate", "container.pat_interval_ms", positive),
  field("pcr_repeat_rate", "container.pcr_interval_ms", positive),
  field("ts_id", "container.transport_id", positive),
  field("moov_at_beginning", "container.faststart", flag),
];

/** Options in x264's own syntax. */
export const encoderFields: readonly { readonly attribute: string; readonly word: (value: number) => string }[] = [
  { attribute: "entropy_coding", word: (value) => `cabac=${value === 0 ? 0 : 1}` },
  { attribute: "number_of_slices", word: (value) => `slices=${value}` },
  { attribute: "use_deblocking", word: (value) => (value === 0 ? "no-deblock=1" : "no-deblock=0") },
];

/** Of every audio track. */
export const audioFields: readonly Field[] = [
  field("AudioChannels", "channels", positive),
  field("AudioBitrate", "bitrate_kb", (value) => (value > 0 ? thousandth(value) : undefined)),
  field("AudioSampleRate", "sample_rate", positive),
];

/** If these are set, the file is a transport stream. */
export const transportStreamFields: readonly string[] = ["PMT_PID", "PCR_PID", "mux_type", "muxrate", "ts_id"];
