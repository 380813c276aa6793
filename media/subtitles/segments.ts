import { type Cue, cutCues, TooMuchText } from "./cue.ts";
import { printWebvtt } from "./webvtt/print.ts";

const mostSegments = 20_000;
/** Texts of all segments together: one is in each that it touches. */
const mostTexts = 1_000_000;

type Cutting = {
  readonly seconds: number;
  /** Of the whole, where it is known; else to the end of the last text. */
  readonly total?: number | undefined;
  readonly nameOf: (index: number) => string;
  /** See printWebvtt. */
  readonly streamClock?: number | undefined;
};

export type TextFile = { readonly name: string; readonly text: string };

/**
 * WebVTT in segments of one length, as HLS plays it: a text that goes on is in each segment that it touches, with its own
 * times. Gives the playlist's text and the segments. Throws TooMuchText where they would hold too many texts.
 */
export const segmentedWebvtt = (cues: readonly Cue[], cutting: Cutting): { playlist: string; segments: TextFile[] } => {
  const total = cutting.total ?? Math.max(cutting.seconds, ...cues.map(({ to }) => to / 1000));
  const seconds = Math.max(cutting.seconds, total / mostSegments);
  const count = Math.max(1, Math.ceil(total / seconds - 1e-6));
  const lengths = Array.from({ length: count }, (_, index) => Math.min(seconds, total - index * seconds));
  const touching = touchedBy(cues, seconds * 1000, count);
  const segments = lengths.map((length, index) => {
    const from = Math.round(index * seconds * 1000);
    const inside = (touching[index] ?? []).filter(
      (cue) => cutCues([cue], { from, to: from + Math.round(length * 1000) }).length > 0,
    );
    return { name: cutting.nameOf(index), text: printWebvtt(inside, cutting) };
  });
  const entries = segments.map(({ name }, index) => `#EXTINF:${(lengths[index] ?? seconds).toFixed(3)},\n${name}\n`);
  const head = [
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.round(Math.max(...lengths)))}`,
  ];
  const playlist = `${[...head, "#EXT-X-PLAYLIST-TYPE:VOD"].join("\n")}\n${entries.join("")}#EXT-X-ENDLIST\n`;
  return { playlist, segments };
};

/** The cues of each segment, with those of its neighbours' edges: each cue is looked at once per segment that it touches. */
const touchedBy = (cues: readonly Cue[], lengthMs: number, count: number): Cue[][] => {
  const touching = Array.from({ length: count }, (): Cue[] => []);
  let texts = 0;
  for (const cue of cues) {
    const first = Math.max(0, Math.floor((cue.from - 1) / lengthMs));
    const last = Math.min(count - 1, Math.floor((cue.to + 1) / lengthMs));
    texts += Math.max(0, last - first + 1);
    if (texts > mostTexts)
      throw new TooMuchText(`the segments would hold more than ${mostTexts} texts: make them longer`);
    for (let at = first; at <= last; at += 1) touching[at]?.push(cue);
  }
  return touching;
};
