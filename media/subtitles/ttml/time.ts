import type { XmlElement } from "../../../shared/basics/xml.ts";

/** How a document counts time. */
export type TimeBase = { readonly frameRate: number; readonly tickRate: number; readonly isSmpte: boolean };

export const timeBaseOf = ({ attributes }: XmlElement): TimeBase => {
  const stated = positive(attributes.get("frameRate")) ?? 30;
  const [above = 1, below = 1] = (attributes.get("frameRateMultiplier") ?? "1 1").split(/[\s:]+/).map(positive);
  const frameRate = (stated * above) / below;
  const tickRate = positive(attributes.get("tickRate")) ?? (attributes.has("frameRate") ? frameRate : 1);
  return { frameRate, tickRate, isSmpte: attributes.get("timeBase") === "smpte" };
};

const positive = (text: string | undefined): number | undefined => (Number(text) > 0 ? Number(text) : undefined);

/** `00:00:01.5`, `00:00:01:12`, `1.5s`, `36f`, `90000t` -> milliseconds; undefined for other text. */
export const readTtmlTime = (text: string | undefined, base: TimeBase): number | undefined => {
  const word = (text ?? "").trim();
  const [, hours, minutes, seconds, fraction, frames] =
    /^(\d{2,4}):(\d\d):(\d\d)(?:(\.\d{1,9})|[:;](\d{2,3})(?:\.\d+)?)?$/.exec(word) ?? [];
  if (hours !== undefined) {
    const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return Math.round(secondsOf(whole, Number(fraction ?? 0), Number(frames ?? 0), base) * 1000);
  }
  const [, count = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,9})?)(h|ms|m|s|f|t)$/.exec(word) ?? [];
  if (count === "") return undefined;
  const seconded = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / base.frameRate, t: 1 / base.tickRate }[unit] ?? 1;
  return Math.round(Number(count) * seconded * 1000);
};

// SMPTE counts frames: a second of it is as long as its frames take, 1.001 s at 29.97.
const secondsOf = (whole: number, fraction: number, frames: number, { frameRate, isSmpte }: TimeBase): number =>
  isSmpte ? (whole * Math.round(frameRate) + frames) / frameRate : whole + fraction + frames / frameRate;
