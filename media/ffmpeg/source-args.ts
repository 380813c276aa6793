import { definitionError } from "../../shared/model/failure.ts";
import { safeDemuxers } from "./demuxers.ts";

/**
 * Options that a job may give ffmpeg for opening its source. None takes a path or an address, and none contradicts what
 * the farm sets itself: where reading begins, and what may be opened.
 */
const allowed: Readonly<Record<string, RegExp>> = {
  analyzeduration: /^\d{1,12}$/,
  probesize: /^\d{1,12}[kM]?$/,
  fpsprobesize: /^\d{1,6}$/,
  fflags: flags("genpts", "igndts", "ignidx", "discardcorrupt", "sortdts", "nofillin", "noparse", "fastseek"),
  err_detect: flags("crccheck", "bitstream", "buffer", "explode", "ignore_err", "careful", "compliant"),
  ec: flags("guess_mvs", "deblock", "favor_inter"),
  flags: flags("output_corrupt", "low_delay", "unaligned"),
  f: oneOf(...safeDemuxers),
  framerate: rate(),
  r: rate(),
  video_size: /^\d{1,5}x\d{1,5}$/,
  pixel_format: /^[a-z0-9]{1,20}$/,
  sample_rate: /^\d{1,6}$/,
  channels: /^\d{1,2}$/,
  ac: /^\d{1,2}$/,
  ar: /^\d{1,6}$/,
  "c:v": name(),
  "c:a": name(),
  "codec:v": name(),
  "codec:a": name(),
  vcodec: name(),
  acodec: name(),
  threads: /^\d{1,2}$/,
  skip_frame: oneOf("none", "default", "noref", "bidir", "nointra", "nokey"),
  ignore_editlist: /^[01]$/,
  advanced_editlist: /^[01]$/,
  scan_all_pmts: /^(-1|[01])$/,
  merge_pmt_versions: /^[01]$/,
  max_delay: /^\d{1,12}$/,
  max_ts_probe: /^\d{1,6}$/,
  thread_queue_size: /^\d{1,6}$/,
  drop_changed: /^[01]$/,
};

/** Options without a value. */
const switches = new Set(["autorotate", "noautorotate"]);

/**
 * The arguments before `-i`, from a text like `-fflags +genpts -i {source_url}`. Throws TaskError `definition` naming
 * any option that is not on the list.
 */
export const sourceArgs = (text: string, path: string): string[] => {
  const all = text.trim().split(/\s+/);
  const at = all.indexOf("{source_url}");
  if (at === -1) throw definitionError(`${path} must contain {source_url} as a separate argument`);
  if (at < all.length - 1) throw definitionError(`${path}: "${all[at + 1]}" comes after {source_url}`);
  const words = all.slice(0, all[at - 1] === "-i" ? at - 1 : at);
  for (let index = 0; index < words.length; ) index += check(words, index, path);
  return words;
};

/** Throws, or returns the number of arguments that the option takes. */
const check = (words: readonly string[], index: number, path: string): number => {
  const word = words[index] ?? "";
  const option = /^-([a-z][a-z0-9_:]*)$/i.exec(word)?.[1] ?? "";
  if (switches.has(option)) return 1;
  const pattern = Object.hasOwn(allowed, option) ? allowed[option] : undefined;
  if (!pattern) {
    const known = Object.keys(allowed).join(", ");
    throw definitionError(`${path}: "${word}" is not allowed; allowed are ${known}`);
  }
  const value = words[index + 1];
  if (value !== undefined && pattern.test(value)) return 2;
  throw definitionError(`${path}: ${word} cannot have the value "${value ?? ""}"`);
};

function flags(...names: readonly string[]): RegExp {
  return new RegExp(`^[+-]?(${names.join("|")})([+-](${names.join("|")}))*$`);
}

function oneOf(...names: readonly string[]): RegExp {
  return new RegExp(`^(${names.join("|")})$`);
}

function rate(): RegExp {
  return /^\d{1,6}([./]\d{1,6})?$/;
}

function name(): RegExp {
  return /^[a-z0-9_]{1,32}$/;
}
