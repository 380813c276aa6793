import type { AudioFacts } from "../../../../../shared/model/asset.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { channelNamesOf, isLayout } from "../../../../ffmpeg/layouts.ts";
import type { AllowedFilters } from "../../filters/allowed.ts";
import { lasting } from "./tempo.ts";

const number = /^-?\d{1,9}(\.\d{1,9})?(dB)?$/;
const whole = /^-?\d{1,9}$/;
const word = /^[a-z0-9_-]{1,40}$/i;
const several = /^[\d|. -]{1,200}$/;

const shelf = { gain: number, frequency: number, width_type: word, width: number };

/** Sound filters that jobs may name themselves. None opens a file or an address. */
export const allowedAudioFilters: AllowedFilters = {
  acompressor: {
    ...{ level_in: number, mode: word, threshold: number, ratio: number, attack: number, release: number },
    makeup: number,
  },
  acrusher: { level_in: number, level_out: number, bits: number, mix: number, mode: word },
  adeclick: { window: number, overlap: number, arorder: number, threshold: number, burst: number },
  adelay: { delays: /^[\d|.S]{1,200}$/, all: whole },
  aecho: { in_gain: number, out_gain: number, delays: several, decays: several },
  afftdn: { noise_reduction: number, noise_floor: number, noise_type: word },
  agate: {
    ...{ level_in: number, mode: word, range: number, threshold: number, ratio: number, attack: number },
    release: number,
  },
  alimiter: { level_in: number, level_out: number, limit: number, attack: number, release: number, level: word },
  allpass: { frequency: number, width_type: word, width: number },
  aphaser: { in_gain: number, out_gain: number, delay: number, decay: number, speed: number },
  areverse: {},
  asoftclip: { type: word, threshold: number },
  atempo: { tempo: /^\d{1,3}(\.\d{1,9})?$/ },
  bandpass: { frequency: number, width_type: word, width: number },
  bandreject: { frequency: number, width_type: word, width: number },
  bass: shelf,
  chorus: {
    ...{ in_gain: number, out_gain: number, delays: several, decays: several, speeds: several, depths: several },
  },
  compand: { attacks: several, decays: several, points: /^[\d/|. -]{1,200}$/, "soft-knee": number, gain: number },
  crossfeed: { strength: number, range: number },
  crystalizer: { i: number },
  dcshift: { shift: number, limitergain: number },
  deesser: { i: number, m: number, f: number },
  dynaudnorm: { framelen: whole, gausssize: whole, peak: number, maxgain: number, targetrms: number },
  equalizer: { frequency: number, width_type: word, width: number, gain: number },
  extrastereo: { m: number, c: whole },
  flanger: { delay: number, depth: number, regen: number, width: number, speed: number },
  highpass: { frequency: number, poles: whole },
  highshelf: shelf,
  lowpass: { frequency: number, poles: whole },
  lowshelf: shelf,
  pan: { args: /^[a-z0-9.|+*=<\-\s()]{1,400}$/i },
  speechnorm: { peak: number, expansion: number, compression: number, raise: number, fall: number },
  stereotools: { level_in: number, level_out: number, balance_in: number, balance_out: number, mode: word },
  stereowiden: { delay: number, feedback: number, crossfeed: number, drymix: number },
  treble: shelf,
  tremolo: { f: number, d: number },
  vibrato: { f: number, d: number },
  virtualbass: { cutoff: number, strength: number },
  volume: { volume: number },
};

/** What a chain makes of a sound: its channels, and how long it lasts. */
export const soundAfter = (sound: AudioFacts, chain: readonly Filter[]): Partial<AudioFacts> => {
  let changed: Partial<AudioFacts> = {};
  for (const { name, options = {} } of chain) {
    if (name === "atempo") changed = { ...changed, ...lasting({ ...sound, ...changed }, Number(options.tempo ?? 1)) };
    if (name === "pan") changed = { ...changed, ...panned(String(options.args ?? "")) };
  }
  return changed;
};

/** The layout, or the number of channels, that a matrix begins with. */
const panned = (matrix: string): Partial<AudioFacts> => {
  const [layout = ""] = matrix.split("|", 1).map((text) => text.trim());
  const count = /^(\d{1,2})c$/i.exec(layout)?.[1];
  if (count !== undefined) return { channels: Number(count), layout: undefined };
  return isLayout(layout) ? { channels: channelNamesOf(layout).length, layout } : {};
};
