/**
 * Demuxers that read the file they are given and open no other. Playlists and manifests (hls, dash, imf, concat, sdp,
 * rtsp), patterns (image2), pairs of files (vobsub), scripts and devices (lavfi, avisynth, v4l2) are left out on
 * purpose: with one of them, an innocent name makes ffmpeg read any file of the node or open a connection.
 */
const media = [
  ...["mov", "matroska", "webm", "mpegts", "mpeg", "mpegvideo", "mxf", "avi", "flv", "asf", "ogg", "gxf", "nut", "ivf"],
  ...["rm", "dv", "h264", "hevc", "vvc", "av1", "obu", "m4v", "vc1", "h261", "h263", "dirac", "cavsvideo", "mjpeg"],
  ...["yuv4mpegpipe", "wtv", "bink", "smk", "swf", "lxf", "r3d", "cine", "gif", "apng", "jpegxl_anim"],
] as const;

const sound = [
  ...["wav", "w64", "aiff", "caf", "au", "flac", "mp3", "aac", "ac3", "eac3", "ac4", "dts", "dtshd", "truehd", "mlp"],
  ...["amr", "ape", "tta", "tak", "wv", "dsf", "iff", "loas", "shn", "voc", "mpc", "mpc8", "gsm", "spdif", "s337m"],
] as const;

/** Each reads one picture; image2, which would take `%d` in a name as a pattern, is not among them. */
const pictures = [
  ...["bmp", "cri", "dds", "dpx", "exr", "gem", "gif", "hdr", "j2k", "jpeg", "jpegls", "jpegxl", "pam", "pbm", "pcx"],
  ...["pfm", "pgm", "pgmyuv", "pgx", "phm", "photocd", "pictor", "png", "ppm", "psd", "qdraw", "qoi", "sgi", "sunrast"],
  ...["tiff", "vbn", "webp", "xbm", "xpm", "xwd"],
].map((name) => `${name}_pipe`);

const subtitles = [
  "srt",
  "ass",
  "webvtt",
  "scc",
  "stl",
  "sup",
  "microdvd",
  "sami",
  "mpl2",
  "subviewer",
  "mcc",
] as const;

export const safeDemuxers: readonly string[] = [...media, ...sound, ...pictures, ...subtitles];

/** What segments of playlists and manifests are, once they are joined. */
export const joinedDemuxers: readonly string[] = [
  ...["mov", "mpegts", "matroska", "webm", "mxf", "aac", "ac3", "eac3", "mp3", "wav"],
];

/** File name endings that ffmpeg gives to image2 before it looks at the bytes -> the demuxer of one such picture. */
const pictureEndings: Readonly<Record<string, string>> = {
  ...{ jpg: "jpeg", jpeg: "jpeg", png: "png", bmp: "bmp", tif: "tiff", tiff: "tiff", dpx: "dpx", exr: "exr" },
  ...{ webp: "webp", jp2: "j2k", j2k: "j2k", pbm: "pbm", pgm: "pgm", ppm: "ppm", pam: "pam" },
  ...{ sgi: "sgi", psd: "psd", hdr: "hdr", pcx: "pcx", xbm: "xbm", xpm: "xpm", xwd: "xwd", dds: "dds", qoi: "qoi" },
};

/** The demuxer that must be named for a file of this name, lest ffmpeg takes it for a pattern of many. */
export const demuxerOfPicture = (name: string): string | undefined => {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const picture = pictureEndings[ending];
  return picture ? `${picture}_pipe` : undefined;
};
