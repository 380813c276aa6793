import type { Drawn, Expected } from "./draw.ts";
import { heldBack, type Picture, type Sound } from "./gstreamer.ts";
import { patch, tones } from "./material.ts";
import type { Told } from "./media-info.ts";

/** What the readers found; `undefined` where a reader has no decoder for it. */
export type Read = {
  readonly told: Told;
  readonly pictures: readonly Picture[] | undefined;
  readonly sound: Sound | undefined;
};

/** Every difference between what a job was to make and what the readers see, in words. */
export const differences = ({ expected, target, material, name }: Drawn, { told, pictures, sound }: Read): string[] => [
  ...ofHeaders(expected, told, material.sar, isCounted(name)),
  ...(pictures ? ofPictures(expected, pictures) : []),
  ...(sound ? ofSound(expected, sound, isMixed(target)) : []),
];

const isMixed = ({ audio }: Drawn["target"]): boolean => {
  const { channels, filters = [] } = Object(audio)[0] ?? {};
  return channels !== undefined || filters.some(({ kind }: { kind: string }) => kind === "mixdown");
};

/** Streams have no number of pictures in a header: MediaInfo divides times. */
const isCounted = (name: string): boolean => !/\.(ts|mpg)$/.test(name);

const near = (value: number | undefined, wanted: number, tolerance: number): boolean =>
  value === undefined || Math.abs(value - wanted) <= tolerance;

const ofHeaders = (expected: Expected, told: Told, sar: string, hasCount: boolean): string[] => {
  const { width, height, rate, frames, seconds, channels } = expected;
  const [across, down] = sar.split("/").map(Number);
  const aspect = (width * (across ?? 1)) / (height * (down ?? 1));
  const isPicture = expected.video !== "";
  const wrong: (string | false)[] = [
    told.tracks.video !== (isPicture ? 1 : 0) && `${told.tracks.video} video tracks`,
    told.tracks.audio !== (channels === undefined ? 0 : 1) && `${told.tracks.audio} audio tracks`,
    isPicture && !near(told.width, width, 0) && `width ${told.width}, not ${width}`,
    isPicture && !near(told.height, height, 0) && `height ${told.height}, not ${height}`,
    isPicture && !near(told.aspect, aspect, 0.02) && `aspect ${told.aspect}, not ${aspect.toFixed(3)}`,
    isPicture && !near(told.rate, rate, 0.01) && `rate ${told.rate}, not ${rate.toFixed(3)}`,
    // Without a count it is estimated by the last packet's time, which pictures between others stand behind.
    isPicture && !near(told.frames, frames, hasCount ? 0 : 2) && `header says ${told.frames} frames, not ${frames}`,
    !near(told.seconds, isPicture ? frames / rate : seconds, 0.12) && `${told.seconds} s, not ${seconds.toFixed(3)}`,
    channels !== undefined && !near(told.channels, channels, 0) && `${told.channels} channels, not ${channels}`,
  ];
  return wrong.filter((each) => each !== false).map((each) => `MediaInfo: ${each}`);
};

const ofPictures = (expected: Expected, pictures: readonly Picture[]): string[] => {
  const late = heldBack[expected.video] ?? 0;
  const { first } = expected;
  const pace = (expected.last - first + 1) / expected.frames;
  const [last, frames] = [expected.last - Math.floor(late * pace), expected.frames - late];
  const numbers = pictures.map(({ number }) => number);
  const unreadable = numbers.filter((number) => number === undefined).length;
  const [begin, end] = [numbers.at(0), numbers.at(-1)];
  const isBack = numbers.some((number, at) => (number ?? 0) < (numbers[at - 1] ?? 0));
  const isSame = pace === 1;
  const holes = isSame ? numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1).length : 0;
  // At another rate, each picture is the nearest in time: it stands for those of its interval.
  const slack = isSame ? 0 : Math.ceil(pace);
  const off = pictures.flatMap((each) => each.patch.map((value, at) => Math.abs(value - (patch[at] ?? 0))));
  const wrong: (string | false)[] = [
    pictures.length !== frames && `${pictures.length} pictures, not ${frames}`,
    Math.abs((begin ?? -1) - first) > slack && `begins with picture ${begin}, not ${first}`,
    Math.abs((end ?? -1) - last) > slack && `ends with picture ${end}, not ${last}`,
    isBack && "pictures go back",
    holes > 0 && `${holes} pictures do not follow the one before`,
    unreadable > pictures.length / 10 && `${unreadable} pictures are not to be read`,
    Math.max(...off) > 14 && `the patch is ${pictures[Math.floor(pictures.length / 2)]?.patch}, not ${patch}`,
  ];
  return wrong.filter((each) => each !== false).map((each) => `GStreamer: ${each}`);
};

const ofSound = ({ seconds, channels, audio }: Expected, sound: Sound, isMixed: boolean): string[] => {
  const all = sound.channels.map(({ tone }) => tone);
  // GStreamer's decoder of AAC gives one channel twice.
  const heard = audio === "aac" && channels === 1 && all.length === 2 && all[0] === all[1] ? all.slice(1) : all;
  const wanted = tones.slice(0, channels);
  const wrong: (string | false)[] = [
    heard.length !== channels && `${heard.length} channels, not ${channels}`,
    Math.abs(sound.seconds - seconds) > 0.08 && `${sound.seconds.toFixed(3)} s of sound, not ${seconds.toFixed(3)}`,
    !isMixed && heard.join() !== wanted.join() && `tones ${heard.join(" ")}, not ${wanted.join(" ")}`,
    isMixed && heard.includes(0) && `a silent channel: ${heard.join(" ")}`,
  ];
  return wrong.filter((each) => each !== false).map((each) => `GStreamer: ${each}`);
};

/** What the job's result warns of, by words of the faults that it explains. */
const explained: readonly (readonly [fault: RegExp, warning: RegExp])[] = [
  [/channels|tones/, /channel/],
  [/rate|frames|pictures/, /the source's pictures are at/],
];

/** Whether the job's result warns of what the readers see: only silent differences are faults. */
export const isWarnedOf = (fault: string, warnings: readonly string[]): boolean =>
  explained.some(([seen, told]) => seen.test(fault) && warnings.some((warning) => told.test(warning)));
