import type { AllowedFilters } from "../../filters/allowed.ts";

const number = /^-?\d{1,9}(\.\d{1,9})?$/;
const whole = /^-?\d{1,9}$/;
const word = /^[a-z0-9_-]{1,40}$/i;
const color = /^[a-z0-9#@.]{1,40}$/i;
const points = /^[\d./ ]{1,400}$/;
/** A side of a picture: a number, or a share of a side that it has. */
const side = /^(-?\d{1,5}|(iw|ih|in_w|in_h)([*/]\d{1,4}(\.\d{1,4})?)?)$/;
const place = /^(-?\d{1,5}|\((ow|iw|oh|ih)-(ow|iw|oh|ih)\)\/\d)$/;
const rate = /^\d{1,6}(\.\d{1,6})?(\/\d{1,6})?$/;
const level = /^[a-z0-9_+\-*/().]{1,100}$/;

/** Picture filters that jobs may name themselves. They open only files that the job brings. */
export const allowedVideoFilters: AllowedFilters = {
  cas: { strength: number, planes: whole },
  chromashift: { cbh: whole, cbv: whole, crh: whole, crv: whole, edge: word },
  colorchannelmixer: {
    ...{ rr: number, rg: number, rb: number, ra: number, gr: number, gg: number, gb: number, ga: number },
    ...{ br: number, bg: number, bb: number, ba: number },
  },
  colortemperature: { temperature: number, mix: number, pl: number },
  crop: { out_w: side, out_h: side, x: place, y: place },
  deflicker: { size: whole, mode: word },
  drawgrid: { x: whole, y: whole, width: side, height: side, color, thickness: whole },
  edgedetect: { low: number, high: number, mode: word },
  exposure: { exposure: number, black: number },
  fps: { fps: rate, start_time: number, round: word },
  framestep: { step: whole },
  lutrgb: { r: level, g: level, b: level },
  lutyuv: { y: level, u: level, v: level },
  minterpolate: { fps: rate, mi_mode: word, mc_mode: word, me_mode: word, vsbmc: whole },
  monochrome: { cb: number, cr: number, size: number, high: number },
  pad: { width: side, height: side, x: place, y: place, color },
  pixelize: { width: whole, height: whole, mode: word },
  rgbashift: { rh: whole, rv: whole, gh: whole, gv: whole, bh: whole, bv: whole, edge: word },
  scale: { w: side, h: side, flags: /^[a-z_+]{1,80}$/, force_original_aspect_ratio: word },
  setdar: { dar: /^\d{1,5}([:/]\d{1,5})?$/ },
  smartblur: { luma_radius: number, luma_strength: number, luma_threshold: whole },
  swapuv: {},
  thumbnail: { n: whole },
  tile: { layout: /^\d{1,2}x\d{1,2}$/, nb_frames: whole, margin: whole, padding: whole, color },
  tmix: { frames: whole, weights: /^[\d. ]{1,80}$/, scale: number },
  vibrance: { intensity: number, rbal: number, gbal: number, bbal: number },
  avgblur: { sizeX: whole, planes: whole, sizeY: whole },
  boxblur: { luma_radius: number, luma_power: whole, chroma_radius: number, chroma_power: whole },
  bwdif: { mode: word, parity: word, deint: word },
  colorbalance: {
    rs: number,
    gs: number,
    bs: number,
    rm: number,
    gm: number,
    bm: number,
    rh: number,
    gh: number,
    bh: number,
  },
  colorlevels: { rimin: number, gimin: number, bimin: number, rimax: number, gimax: number, bimax: number },
  curves: { preset: word, master: points, red: points, green: points, blue: points },
  deband: { "1thr": number, "2thr": number, "3thr": number, "4thr": number, range: whole, blur: whole },
  delogo: { x: whole, y: whole, w: whole, h: whole },
  drawbox: { x: whole, y: whole, width: whole, height: whole, color, thickness: /^(\d{1,5}|fill)$/ },
  eq: {
    contrast: number,
    brightness: number,
    saturation: number,
    gamma: number,
    gamma_r: number,
    gamma_g: number,
    gamma_b: number,
  },
  format: { pix_fmts: /^[a-z0-9|]{1,100}$/ },
  gblur: { sigma: number, steps: whole, planes: whole, sigmaV: number },
  hflip: {},
  hqdn3d: { luma_spatial: number, chroma_spatial: number, luma_tmp: number, chroma_tmp: number },
  hue: { h: number, s: number, b: number },
  limiter: { min: whole, max: whole, planes: whole },
  lut3d: { file: "file", interp: word },
  negate: { components: /^[a-z+]{1,20}$/, negate_alpha: whole },
  nlmeans: { s: number, p: whole, pc: whole, r: whole, rc: whole },
  noise: { alls: whole, allf: /^[atup+]{1,8}$/ },
  rotate: { angle: number },
  setsar: { sar: /^\d{1,5}([:/]\d{1,5})?$/ },
  transpose: { dir: word },
  unsharp: { lx: whole, ly: whole, la: number, cx: whole, cy: whole, ca: number },
  vflip: {},
  vignette: { angle: number },
  yadif: { mode: word, parity: word, deint: word },
};
