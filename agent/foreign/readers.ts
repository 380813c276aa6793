/**
 * Every parser of large bytes that are not ours: pure functions of one argument that a thread can take and give back.
 * Loaded on first use. What each one costs: test/media/foreign-cost.test.ts.
 */
export const readers = {
  subtitles: async () => (await import("../../media/subtitles/convert.ts")).convertSubtitles,
  joined_subtitles: async () => (await import("../../media/subtitles/convert.ts")).joinSubtitles,
  captions: async () => (await import("../../media/captions/embed.ts")).embedCaptions,
  manifest: async () => (await import("../../media/manifests/index.ts")).readDocuments,
  probe: async () => (await import("../../media/ffmpeg/probe-reports.ts")).readProbeReport,
  ftp: async () => (await import("./ftp-listing.ts")).readFtpListing,
  webdav: async () => (await import("./webdav-listing.ts")).readWebdavListing,
} as const;

type Readers = typeof readers;
export type ReaderName = keyof Readers;
type ReaderOf<N extends ReaderName> = Awaited<ReturnType<Readers[N]>>;
export type InputOf<N extends ReaderName> = Parameters<ReaderOf<N>>[0];
export type OutputOf<N extends ReaderName> = ReturnType<ReaderOf<N>>;
