import type { Options } from "../../../ffmpeg/args.ts";

/** The first pass only writes the log, the last only reads it, and those between do both: encoders number them so. */
export type Pass = 1 | 2 | 3;

/** The encoder's options in each of several passes. The log is a file of the attempt. */
export const passOptions = (options: Options, pass: Pass, log: string): Options =>
  options.c === "libx265" ? x265Passes(options, pass, log) : { pass, passlogfile: { scratch: log } };

// x265 takes its passes among its own parameters, and its log by a name in the attempt's folder.
const x265Passes = ({ fastfirstpass, ...options }: Options, pass: Pass, log: string): Options => ({
  fastfirstpass: undefined,
  "x265-params": [
    ...(typeof options["x265-params"] === "string" ? [options["x265-params"]] : []),
    ...[`pass=${pass}`, `stats=${log}`],
    ...(pass === 1 ? [`slow-firstpass=${fastfirstpass === 0 ? 1 : 0}`] : []),
  ].join(":"),
});
