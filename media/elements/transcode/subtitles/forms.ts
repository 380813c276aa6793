import type { FormName } from "../../../../shared/work/subtitle-forms.ts";

/** How a container holds a track of subtitles: the form of ffmpeg's input, and its encoder. */
export type TrackForm = { readonly form: FormName; readonly encoder: string };

/** For QuickTime. */
export const timedText = { timed_text: { form: "timed_text", encoder: "copy" } } as const;

const ttmlTrack = { form: "ttml_track", encoder: "copy" } as const;

/** For MP4, which holds documents of TTML as well. */
export const mp4Texts = { ...timedText, ttml: ttmlTrack, imsc1: ttmlTrack } as const;

/** For Matroska, which keeps texts unchanged. */
export const matroskaTexts = {
  srt: { form: "srt", encoder: "copy" },
  webvtt: { form: "webvtt", encoder: "copy" },
  ass: { form: "ass", encoder: "copy" },
} as const;

/** For transport streams. */
export const transportTexts = { dvbsub: { form: "pages", encoder: "copy" } } as const;

/** The demuxer of each form that ffmpeg reads. */
export const demuxerOf: Readonly<Partial<Record<FormName, string>>> = {
  srt: "srt",
  webvtt: "webvtt",
  ass: "ass",
  scc: "scc",
  mcc: "mcc",
  timed_text: "mov",
  ttml_track: "mov",
  /** Of what they are drawn into. */
  pages: "matroska",
};
