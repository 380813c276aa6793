import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { type Container, type ContainerContext, nothing } from "./container.ts";

/** The stream numbers that standards leave free. */
const firstPid = 32;
const lastPid = 8186;

export const mpegts: Container = {
  kinds: ["mpegts", "mpeg2ts"],
  extensions: [".ts", ".m2ts", ".mts", ".m2t"],
  muxer: "mpegts",
  probed: "mpegts",
  family: "mpegts",
  video: nothing,
  audio: /^dts$/,
  options: (context) => transportOptions(context),
};

/** Fields for every transport stream, and for segments of one. */
export const transportOptions = (context: ContainerContext): Options => {
  const { container, name, path } = context;
  const isPlain = context.container.kind !== "hls" && context.container.kind !== "segmented_ts";
  if (container.use_sdt === false && (!isPlain || /\.m2ts$/i.test(name))) {
    const what = "the muxer writes a service description table, which is taken out of plain .ts files only";
    throw capabilityError(`${path}.use_sdt false: ${what}`);
  }
  checkClock(context);
  const { flags, intervals } = profileOf(context);
  return {
    muxrate: container.muxrate_kb && container.muxrate_kb * 1000,
    mpegts_transport_stream_id: container.transport_id,
    mpegts_pmt_start_pid: checkedPid(container.pmt_pid, `${path}.pmt_pid`),
    pcr_period: container.pcr_interval_ms ?? intervals?.pcr,
    // One interval serves both tables: the shorter one keeps what each of them promises.
    pat_period: seconds(least(container.pat_interval_ms, container.pmt_interval_ms) ?? intervals?.tables),
    mpegts_m2ts_mode: /\.m2ts$/i.test(name) ? 1 : 0,
    mpegts_flags: flags,
  };
};

/** The number of a stream in a transport stream. Throws TaskError for one that standards reserve. */
export const checkedPid = (pid: number | undefined, path: string): number | undefined => {
  if (pid === undefined || (pid >= firstPid && pid <= lastPid)) return pid;
  throw definitionError(`${path} ${pid} is reserved: a stream's is ${firstPid} to ${lastPid}`);
};

// The muxer puts the clock into the picture's stream, or into the first one.
const checkClock = ({ container: { pcr_pid }, target: { video, audio = [] }, path }: ContainerContext): void => {
  const carrier = video?.enabled ? video.pid : audio[0]?.pid;
  if (pcr_pid === undefined || pcr_pid === carrier) return;
  throw capabilityError(`${path}.pcr_pid ${pcr_pid}: the clock travels with the picture, whose pid it has`);
};

/** Flags of the muxer, and milliseconds between its tables and its clocks where the job names none. */
type Profile = { readonly flags?: string; readonly intervals?: { readonly tables: number; readonly pcr: number } };

/** As receivers expect them: of cable (SCTE 40 and CableLabs' VOD encoding), and of ATSC A/53. */
const cable: Profile = { intervals: { tables: 100, pcr: 40 } };

const profiles: Readonly<Record<string, Profile>> = {
  DVB: { flags: "+system_b" },
  ATSC: {},
  ATSCHI: cable,
  ATSC_C: cable,
  CABLELABS: cable,
  DTV: cable,
};

const profileOf = ({ container: { thirdparty_mux_profile: name }, path }: ContainerContext): Profile => {
  const found = name === undefined ? {} : profiles[name];
  if (found) return found;
  const known = Object.keys(profiles).join(", ");
  const message = `${path}.thirdparty_mux_profile "${name}" is not implemented for mpegts: there are ${known}`;
  throw capabilityError(message);
};

const least = (...values: readonly (number | undefined)[]): number | undefined => {
  const given = values.filter((value) => value !== undefined);
  return given.length > 0 ? Math.min(...given) : undefined;
};

const seconds = (milliseconds: number | undefined) => (milliseconds === undefined ? undefined : milliseconds / 1000);
