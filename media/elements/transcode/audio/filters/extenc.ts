import { z } from "zod";
import { type AllowedFilters, allowedChain } from "../../filters/allowed.ts";
import { defineAudioFilter } from "../../filters/filter.ts";

const number = /^-?\d{1,9}(\.\d{1,9})?(dB)?$/;
const whole = /^-?\d{1,9}$/;
const word = /^[a-z0-9_-]{1,40}$/i;

/** Sound filters that jobs may name themselves. None opens a file or an address. */
const allowed: AllowedFilters = {
  acompressor: {
    level_in: number,
    mode: word,
    threshold: number,
    ratio: number,
    attack: number,
    release: number,
    makeup: number,
  },
  adelay: { delays: /^[\d|.S]{1,200}$/, all: whole },
  aecho: { in_gain: number, out_gain: number, delays: /^[\d|.]{1,200}$/, decays: /^[\d|.]{1,200}$/ },
  agate: {
    level_in: number,
    mode: word,
    range: number,
    threshold: number,
    ratio: number,
    attack: number,
    release: number,
  },
  alimiter: { level_in: number, level_out: number, limit: number, attack: number, release: number, level: word },
  aphaser: { in_gain: number, out_gain: number, delay: number, decay: number, speed: number },
  areverse: {},
  atempo: { tempo: number },
  bandpass: { frequency: number, width_type: word, width: number },
  bass: { gain: number, frequency: number, width_type: word, width: number },
  dynaudnorm: { framelen: whole, gausssize: whole, peak: number, maxgain: number, targetrms: number },
  equalizer: { frequency: number, width_type: word, width: number, gain: number },
  highpass: { frequency: number, poles: whole },
  lowpass: { frequency: number, poles: whole },
  pan: { args: /^[a-z0-9.|+*=<\-\s()]{1,400}$/i },
  treble: { gain: number, frequency: number, width_type: word, width: number },
  volume: { volume: number },
};

/** A chain of ffmpeg filters in ffmpeg's own syntax; each must be on the list. */
export const extenc = defineAudioFilter({
  kind: "extenc",
  payload: z.looseObject({ extenc_filter: z.string().max(4000).optional() }),
  stage: "converted",
  apply: ({ extenc_filter: text = "" }, { path }) => {
    return { filters: allowedChain(text, { allowed, files: new Map(), path: `${path}.extenc_filter` }) };
  },
});
