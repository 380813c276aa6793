/** A file's MIME type and its player on pages, by extension. */
const kinds = {
  mp4: ["video", "video/mp4"],
  m4v: ["video", "video/mp4"],
  mov: ["video", "video/quicktime"],
  webm: ["video", "video/webm"],
  mkv: ["video", "video/x-matroska"],
  ogv: ["video", "video/ogg"],
  ts: ["video", "video/mp2t"],
  m4s: ["video", "video/iso.segment"],
  mxf: ["video", "application/mxf"],
  m4a: ["audio", "audio/mp4"],
  mp3: ["audio", "audio/mpeg"],
  wav: ["audio", "audio/wav"],
  flac: ["audio", "audio/flac"],
  ogg: ["audio", "audio/ogg"],
  opus: ["audio", "audio/ogg"],
  aac: ["audio", "audio/aac"],
  jpg: ["image", "image/jpeg"],
  jpeg: ["image", "image/jpeg"],
  png: ["image", "image/png"],
  gif: ["image", "image/gif"],
  webp: ["image", "image/webp"],
  vtt: ["text", "text/vtt"],
  srt: ["text", "text/plain"],
  txt: ["text", "text/plain"],
  json: ["text", "application/json"],
  xml: ["text", "text/plain"],
  m3u8: ["playlist", "application/vnd.apple.mpegurl"],
  mpd: ["playlist", "application/dash+xml"],
} as const satisfies Record<string, readonly [string, string]>;

export const mediaShows = ["video", "audio", "image", "text", "playlist", "other"] as const;
export type MediaShow = (typeof mediaShows)[number];

/** A file's kind by its name; unknown files are downloaded as bytes. Nothing here ever runs in a page. */
export const mediaKindOf = (name: string): { readonly show: MediaShow; readonly type: string } => {
  const end = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const found = Object.hasOwn(kinds, end) ? kinds[end as keyof typeof kinds] : undefined; // it is one of them
  return found ? { show: found[0], type: found[1] } : { show: "other", type: "application/octet-stream" };
};
