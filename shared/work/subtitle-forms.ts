/** The forms of subtitles that tasks read and write; media/subtitles has a parser and a printer for each. */
export const formNames = [
  "webvtt",
  "srt",
  "ttml",
  "imsc1",
  "ass",
  "scc",
  "mcc",
  "stl",
  "timed_text",
  "ttml_track",
  "pages",
] as const;
export type FormName = (typeof formNames)[number];
