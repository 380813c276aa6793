import { type Cue, cutCues } from "./cue.ts";
import { printWebvtt } from "./webvtt.ts";

const mostSegments = 20_000;

type Cutting = {
  readonly seconds: number;
  /** Of the whole, where it is known; else to the end of the last text. */
  readonly total?: number | undefined;
  readonly nameOf: (index: number) => string;
};

type TextFile = { readonly name: string; readonly text: string };

/**
 * WebVTT in segments of one length, as HLS plays it: a text that goes on is in each segment that it touches, with its own
 * times. Gives the playlist's text and the segments.
 */
export const segmentedWebvtt = (cues: readonly Cue[], cutting: Cutting): { playlist: string; segments: TextFile[] } => {
  const total = cutting.total ?? Math.max(cutting.seconds, ...cues.map(({ to }) => to / 1000));
  const seconds = Math.max(cutting.seconds, total / mostSegments);
  const count = Math.max(1, Math.ceil(total / seconds - 1e-6));
  const lengths = Array.from({ length: count }, (_, index) => Math.min(seconds, total - index * seconds));
  const segments = lengths.map((length, index) => {
    const from = Math.round(index * seconds * 1000);
    const inside = cues.filter((cue) => cutCues([cue], { from, to: from + Math.round(length * 1000) }).length > 0);
    return { name: cutting.nameOf(index), text: printWebvtt(inside) };
  });
  const entries = segments.map(({ name }, index) => `#EXTINF:${(lengths[index] ?? seconds).toFixed(3)},\n${name}\n`);
  const head = ["#EXTM3U", "#EXT-X-VERSION:3", `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...lengths))}`];
  const playlist = `${[...head, "#EXT-X-PLAYLIST-TYPE:VOD"].join("\n")}\n${entries.join("")}#EXT-X-ENDLIST\n`;
  return { playlist, segments };
};
