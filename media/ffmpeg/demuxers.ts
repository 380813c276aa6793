import { wordsIn } from "../../shared/basics/words.ts";

/**
 * Demuxers that read the file they are given and open no other. Playlists and manifests (hls, dash, imf, concat, sdp,
 * rtsp), patterns (image2), pairs of files (vobsub), scripts and devices (lavfi, avisynth, v4l2) are excluded on
 * purpose: with one of them, an innocent name makes ffmpeg read any file of the node or open a connection.
 */
const media = wordsIn(`
  mov matroska webm mpegts mpeg mpegvideo mxf avi flv asf ogg gxf nut ivf rm dv h264 hevc vvc av1 obu m4v
  vc1 h261 h263 dirac cavsvideo mjpeg yuv4mpegpipe wtv bink smk swf lxf r3d cine gif apng jpegxl_anim
`);

const sound = wordsIn(`
  wav w64 aiff caf au flac mp3 aac ac3 eac3 ac4 dts dtshd truehd mlp amr ape tta tak wv dsf iff loas shn
  voc mpc mpc8 gsm spdif s337m
`);

/** Each reads one picture; image2, which would treat `%d` in a name as a pattern, is not among them. */
const pictures = wordsIn(`
  bmp cri dds dpx exr gem gif hdr j2k jpeg jpegls jpegxl pam pbm pcx pfm pgm pgmyuv pgx phm photocd pictor
  png ppm psd qdraw qoi sgi sunrast tiff vbn webp xbm xpm xwd
`).map((name) => `${name}_pipe`);

const subtitles = wordsIn(`
  srt ass webvtt scc stl sup microdvd sami mpl2 subviewer mcc
`);

export const safeDemuxers: readonly string[] = [...media, ...sound, ...pictures, ...subtitles];

/** The formats of joined segments of playlists and manifests. */
export const joinedDemuxers = "mov mpegts matroska webm mxf aac ac3 eac3 mp3 wav".split(" ");

/** File extensions that ffmpeg gives to image2 before it reads the bytes -> the demuxer of one such picture. */
const pictureEndings: Readonly<Record<string, string>> = {
  jpg: "jpeg",
  tif: "tiff",
  jp2: "j2k",
  ...Object.fromEntries(
    wordsIn("jpeg png bmp tiff dpx exr webp j2k pbm pgm ppm pam sgi psd hdr pcx xbm xpm xwd dds qoi").map((ending) => [
      ending,
      ending,
    ]),
  ),
};

/** The demuxer to name for a file with this name, so that ffmpeg does not treat it as a pattern. */
export const demuxerOfPicture = (name: string): string | undefined => {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const picture = pictureEndings[ending];
  return picture ? `${picture}_pipe` : undefined;
};
