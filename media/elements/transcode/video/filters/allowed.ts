import type { AllowedFilters } from "../../filters/allowed.ts";

const number = /^-?\d{1,9}(\.\d{1,9})?$/;
const whole = /^-?\d{1,9}$/;
const word = /^[a-z0-9_-]{1,40}$/i;
const color = /^[a-z0-9#@.]{1,40}$/i;
const points = /^[\d./ ]{1,400}$/;

/** Picture filters that jobs may name themselves. They open only files that the job brings. */
export const allowedVideoFilters: AllowedFilters = {
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
