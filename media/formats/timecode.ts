import { multiply, type Rational, ratio, round, toNumber } from "../../shared/basics/rational.ts";

/**
 * The frame number of `hh:mm:ss:ff`, or of `hh:mm:ss;ff` with drop-frame. Above 100 frames a second the frame has three
 * digits. A number that drop-frame skips means the next one. Undefined for other text, and for numbers that the rate
 * does not have.
 */
export const timecodeToFrames = (text: string, rate: Rational): number | undefined => {
  const read = fieldsOf(text);
  if (!read || read.frames >= nominal(rate)) return undefined;
  return isDropTimecode(text) && canDrop(rate) ? countDropped(read, rate) : countAll(read, rate);
};

/** The timecode of a frame, wrapping at 24 hours. */
export const framesToTimecode = (frame: number, rate: Rational, isDrop: boolean): string => {
  const perSecond = nominal(rate);
  const day = framesOfDay(rate, isDrop);
  const wrapped = ((frame % day) + day) % day;
  const number = isDrop ? withDropped(wrapped, rate) : wrapped;
  const seconds = Math.floor(number / perSecond);
  const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${fields.map(two).join(":")}${isDrop ? ";" : ":"}${two(number % perSecond)}`;
};

/** Frames in 24 hours of timecode. */
export const framesOfDay = (rate: Rational, isDrop: boolean): number =>
  24 * 6 * (10 * 60 * nominal(rate) - (isDrop ? 9 * droppedPerMinute(rate) : 0));

/** The timecode some seconds after another; invalid timecode is returned unchanged. */
export const addToTimecode = (text: string, seconds: Rational, rate: Rational): string => {
  const first = timecodeToFrames(text, rate);
  if (first === undefined) return text;
  return framesToTimecode(first + round(multiply(seconds, rate)), rate, isDropTimecode(text) && canDrop(rate));
};

/** A number of frames in seconds. */
export const secondsOfFrames = (frames: number, rate: Rational): Rational =>
  multiply(ratio(frames), ratio(rate.den, rate.num));

/** Whether a timecode is written as drop-frame: `;` or `,` before the frame, `.` in some files. */
export const isDropTimecode = (text: string): boolean => /[;,.]\d{2,3}$/.test(text);

/** The same numbers, counted like another timecode: with or without drop-frame. */
export const countedAs = (text: string, like: string): string =>
  text.replace(/[:;.,](?=\d{2,3}$)/, isDropTimecode(like) ? ";" : ":");

/**
 * Seconds that a timecode reads: what a clock shows beside it. Without drop-frame, the timecode of a rate like 29.97 is
 * slower than time. Undefined as for framesOfTimecode.
 */
export const timecodeToClock = (text: string, rate: Rational): Rational | undefined => {
  const frames = timecodeToFrames(text, rate);
  if (frames === undefined) return undefined;
  return isDropTimecode(text) && canDrop(rate) ? secondsOfFrames(frames, rate) : ratio(frames, nominal(rate));
};

/** Drop-frame exists only for the nominal rates 30, 60 and 120 slowed by 1001/1000. */
export const canDrop = (rate: Rational): boolean => rate.den === 1001 && nominal(rate) % 30 === 0;

type Fields = { readonly minutes: number; readonly seconds: number; readonly frames: number };

/** Minutes since 00:00, including hours. */
const fieldsOf = (text: string): Fields | undefined => {
  const found = /^(\d\d):([0-5]\d):([0-5]\d)[:;.,](\d{2,3})$/.exec(text);
  if (!found) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = found.slice(1).map(Number);
  return { minutes: hours * 60 + minutes, seconds, frames };
};

const countAll = ({ minutes, seconds, frames }: Fields, rate: Rational): number =>
  (minutes * 60 + seconds) * nominal(rate) + frames;

const countDropped = (read: Fields, rate: Rational): number => {
  const dropped = droppedPerMinute(rate);
  const isSkipped = read.minutes % 10 !== 0 && read.seconds === 0 && read.frames < dropped;
  const counted = countAll({ ...read, frames: isSkipped ? dropped : read.frames }, rate);
  return counted - dropped * (read.minutes - Math.floor(read.minutes / 10));
};

const nominal = (rate: Rational): number => Math.round(toNumber(rate));

const droppedPerMinute = (rate: Rational): number => nominal(rate) / 15;

// Each minute except every tenth skips its first numbers.
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
