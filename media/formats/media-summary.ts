import { toNumber } from "../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../shared/model/asset.ts";

/** A file's media in a few words: `h264 1920×1080 25 fps · aac 2 ch · 10 s`. Empty if nothing is known. */
export const summaryOf = ({ video, audio, duration }: MediaFacts): string => {
  const length = duration ? toNumber(duration) : 0;
  return [...video.map(videoWords), ...audioWords(audio), ...(length > 0 ? [lengthWords(length)] : [])].join(" · ");
};

const videoWords = ({ codec, width, height, frameRate }: VideoFacts): string => {
  const rate = frameRate ? ` ${rounded(toNumber(frameRate), 3)} fps` : "";
  return `${codec} ${width}×${height}${rate}`;
};

/** Streams with the same text are counted: broadcasters deliver sixteen of one channel. */
const audioWords = (audio: readonly AudioFacts[]): string[] => {
  const counts = new Map<string, number>();
  for (const { codec, channels } of audio) {
    const words = `${codec} ${channels} ch`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => (count > 1 ? `${count} × ${words}` : words));
};

const lengthWords = (seconds: number): string => {
  if (seconds < 60) return `${rounded(seconds, 2)} s`;
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
};

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
