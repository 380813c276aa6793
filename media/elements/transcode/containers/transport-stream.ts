import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Pace } from "../../../splices/pacer.ts";
import { transportTexts } from "../subtitles/forms.ts";
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
  texts: transportTexts,
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
  const { clock, tables } = kept(context, intervals);
  return {
    muxrate: container.muxrate_kb && container.muxrate_kb * 1000,
    mpegts_transport_stream_id: container.transport_id,
    mpegts_pmt_start_pid: checkedPid(container.pmt_pid, `${path}.pmt_pid`),
    pcr_period: clock ?? (container.muxrate_kb === undefined ? soonest : undefined),
    pat_period: seconds(tables),
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
const checkClock = (context: ContainerContext): void => {
  const { container, name, path } = context;
  const pid = ownClockOf(context);
  const isPlain = container.kind !== "hls" && container.kind !== "segmented_ts" && !/\.m2ts$/i.test(name);
  if (pid === undefined || isPlain) return;
  throw capabilityError(`${path}.pcr_pid ${pid}: the clock travels with the picture, but in plain .ts files`);
};

/** The number that the clock has for itself; undefined where it has that of the picture, or of the first sound. */
export const ownClockOf = ({
  container: { pcr_pid },
  target: { video, audio = [] },
  path,
}: Pick<ContainerContext, "container" | "target" | "path">): number | undefined => {
  const carrier = video?.enabled ? video.pid : audio[0]?.pid;
  return pcr_pid === carrier ? undefined : checkedPid(pcr_pid, `${path}.pcr_pid`);
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

const profileOf = ({ container, target, path }: ContainerContext): Profile => {
  const name = container.thirdparty_mux_profile ?? (target.compliance === "dvb" ? "DVB" : undefined);
  const found = name === undefined ? {} : profiles[name];
  if (found) return found;
  const known = Object.keys(profiles).join(", ");
  const message = `${path}.thirdparty_mux_profile "${name}" is not implemented for mpegts: there are ${known}`;
  throw capabilityError(message);
};

/** The muxer goes beyond its intervals by up to a packet: it is asked for a tenth less than what is promised. */
const room = 0.9;

/** Milliseconds between clock references and between tables, as the muxer is asked for them. */
const kept = ({ container }: Pick<ContainerContext, "container">, intervals: Profile["intervals"]) => {
  // By itself the muxer lets 105 ms pass in a stream of constant rate.
  const usual = container.muxrate_kb === undefined ? undefined : 100;
  const within = (promised: number | undefined) => promised && Math.max(1, Math.floor(promised * room));
  return {
    clock: within(container.pcr_interval_ms ?? intervals?.pcr),
    // One interval serves both tables: the shorter one keeps what each of them promises.
    tables: within(least(container.pat_interval_ms, container.pmt_interval_ms) ?? intervals?.tables ?? usual),
  };
};

/**
 * Milliseconds that a clock reference waits for the next picture, in a stream of variable rate: they come with every
 * picture then. By itself the muxer lets as many pass as fit into the standard's 100 ms: 80 at 25 pictures a second.
 */
const soonest = 20;

/** What every receiver grants: twice as much in ISO/IEC 13818-1, and this in DVB (TR 101 290). */
const usualPace: Pace = { clock: 36, tables: 90 };

/** As far as pictures can be apart before clock references, which come with them, are too far apart. */
const slowest = 40;

/**
 * What a stream of variable rate needs besides its muxer, which writes clock references and tables only when a picture
 * comes: in time for nobody without pictures, with seldom ones, or where intervals are promised. Undefined elsewhere.
 */
export const paceOf = (context: ContainerContext, picture: Picture | undefined): Pace | undefined => {
  const { container, name } = context;
  if (container.muxrate_kb !== undefined) return undefined;
  const { clock, tables } = kept(context, profileOf(context).intervals);
  const distance = picture && !picture.isVariable && picture.rate ? 1000 / picture.rate : Number.POSITIVE_INFINITY;
  // ffmpeg's times of arrival in .m2ts files mean something at a constant rate only.
  const isTimed = /\.m2ts$/i.test(name);
  const isPromised = clock !== undefined || tables !== undefined;
  if (!isTimed && !isPromised && distance <= slowest) return undefined;
  return { clock: clock ?? usualPace.clock, tables: tables ?? usualPace.tables };
};

type Picture = { readonly rate: number | undefined; readonly isVariable: boolean };

const least = (...values: readonly (number | undefined)[]): number | undefined => {
  const given = values.filter((value) => value !== undefined);
  return given.length > 0 ? Math.min(...given) : undefined;
};

const seconds = (milliseconds: number | undefined) => (milliseconds === undefined ? undefined : milliseconds / 1000);
