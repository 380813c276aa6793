import type { Rational } from "../../shared/basics/rational.ts";
import { readSubtitleBytes, type SubtitleSource } from "../subtitles/convert.ts";
import type { CueRange } from "../subtitles/cue.ts";
import { seenSubtitles, sentCaptions } from "../subtitles/seen.ts";
import { pairsOfPictures } from "./schedule-pairs.ts";
import { withCaptions } from "./sei.ts";
import { packetsOfPictures } from "./service-708.ts";

/** Where the pictures begin in the text, and the clock that they show there. */
type Track = SubtitleSource & { readonly field: 1 | 2; readonly range: CueRange };

type Embedding = {
  readonly pictures: Uint8Array;
  readonly rate: Rational;
  readonly tracks: readonly Track[];
  /** The texts of each file are a service of CEA-708 as well, numbered as the fields are. */
  readonly asServices?: boolean | undefined;
};

/** The pictures with the captions of these texts, and what nobody would expect. Throws as `convertSubtitles` does. */
export const embedCaptions = ({ pictures, rate, tracks, asServices = false }: Embedding) => {
  const sent = tracks.map(({ field, range, ...source }) => ({
    ...readSubtitleBytes(source, (text) => sentCaptions(text, source.label, range)),
    field,
  }));
  const services = (asServices ? tracks : []).map(({ field, range, ...source }) => ({
    number: field,
    cues: readSubtitleBytes(source, (text) => seenSubtitles(text, source.label, range)).cues,
  }));
  return {
    pictures: withCaptions(pictures, pairsOfPictures(sent, rate), packetsOfPictures(services, rate)),
    told: sent.flatMap(({ told }) => told),
  };
};
