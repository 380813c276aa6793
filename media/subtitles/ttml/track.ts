import type { Cue } from "../cue.ts";
import { box, bytes, letters, printTextTrack, type Sample, u16 } from "../text-track.ts";
import { printTtml, type TtmlOptions } from "./print.ts";

/** A document for so many milliseconds, so that a player of fragments need not wait for the whole. */
const window = 10_000;

/**
 * A file of one track of TTML (ISO 14496-30, `stpp`): IMSC 1 documents one after the other, each with what is shown in its
 * time, counted from the track's beginning.
 */
export const printTtmlTrack = (cues: readonly Cue[], options: TtmlOptions): string => {
  const end = cues.reduce((last, { to }) => Math.max(last, to), 0);
  const count = Math.max(1, Math.ceil(end / window));
  const shown = Array.from({ length: count }, (): Cue[] => []);
  for (const cue of cues) {
    for (let at = Math.floor(cue.from / window); at * window < cue.to; at++)
      shown[at]?.push({ ...cue, from: Math.max(cue.from, at * window), to: Math.min(cue.to, (at + 1) * window) });
  }
  const samples = shown.map((own): Sample => {
    const text = new TextEncoder().encode(printTtml(own, { ...options, isImsc: true }));
    return { text, lasts: window };
  });
  return printTextTrack(samples, { handler: "subt", description: description() });
};

/** The names of its vocabulary, of no schema, and of no other media. */
const description = (): Uint8Array =>
  box("stpp", [
    new Uint8Array(6),
    u16(1),
    bytes(["http://www.w3.org/ns/ttml", "", ""].map((name) => letters(`${name}\0`))),
  ]);
