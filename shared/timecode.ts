import { multiply, type Rational, toNumber } from "./rational.ts";

/** Frames since 00:00:00:00 of `hh:mm:ss:ff`, or `hh:mm:ss;ff` where drop-frame skips numbers. Undefined for other text. */
export const framesOfTimecode = (text: string, rate: Rational): number | undefined => {
  const found = /^(\d\d):(\d\d):(\d\d)([:;.])(\d\d)$/.exec(text);
  if (!found) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, , frames = 0] = found.slice(1).map(Number);
  const counted = ((hours * 60 + minutes) * 60 + seconds) * nominal(rate) + frames;
  if (found[4] === ":") return counted;
  const allMinutes = hours * 60 + minutes;
  return counted - droppedPerMinute(rate) * (allMinutes - Math.floor(allMinutes / 10));
};

/** The timecode of a frame, wrapping at 24 hours. */
export const timecodeOfFrames = (frame: number, rate: Rational, isDrop: boolean): string => {
  const perSecond = nominal(rate);
  const number = isDrop ? withDropped(frame, rate) : frame;
  const seconds = Math.floor(number / perSecond);
  const fields = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return `${fields.map(two).join(":")}${isDrop ? ";" : ":"}${two(number % perSecond)}`;
};

/** The timecode some seconds after another; text that is none comes back as it is. */
export const laterTimecode = (text: string, seconds: Rational, rate: Rational): string => {
  const first = framesOfTimecode(text, rate);
  if (first === undefined) return text;
  return timecodeOfFrames(first + Math.round(toNumber(multiply(seconds, rate))), rate, !text.includes(":", 8));
};

/** Drop-frame exists only where a nominal rate of 30 or 60 is slowed by 1001/1000. */
export const canDrop = (rate: Rational): boolean => rate.den === 1001 && nominal(rate) % 30 === 0;

const nominal = (rate: Rational): number => Math.round(toNumber(rate));

const droppedPerMinute = (rate: Rational): number => nominal(rate) / 15;

// Each minute but every tenth skips its first numbers.
const withDropped = (frame: number, rate: Rational): number => {
  const dropped = droppedPerMinute(rate);
  const perMinute = nominal(rate) * 60 - dropped;
  const perTenMinutes = perMinute * 10 + dropped;
  const tens = Math.floor(frame / perTenMinutes);
  const rest = frame % perTenMinutes;
  const minutes = rest < dropped ? 0 : Math.floor((rest - dropped) / perMinute);
  return frame + dropped * (tens * 9 + minutes);
};

const two = (value: number): string => String(value).padStart(2, "0");
