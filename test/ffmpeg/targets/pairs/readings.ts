/** What MediaInfo calls a codec: format, and the version or layer that tells two of one format apart. */
export const formats: Readonly<Record<string, string>> = {
  ...{ h264: "AVC", h265: "HEVC", av1: "AV1", mpeg1: "MPEG Video", mpeg2: "MPEG Video", mpeg4: "MPEG-4 Visual" },
  ...{ vp8: "VP8", vp9: "VP9", prores: "ProRes", dnxhd: "VC-3", dv25: "DV", dv50: "DV", mjpeg: "JPEG", jpeg: "JPEG" },
  ...{ jpeg2000: "JPEG 2000", png: "PNG", raw: "YUV" },
  // In some containers it only repeats their own name of the codec.
  ...{
    "mkv mjpeg": "V_MJPEG",
    "mkv jpeg": "V_MJPEG",
    "mov raw": "RGB",
    "mkv raw": "RGB",
    "mp4 vp9": "vp09",
    "fmp4 vp9": "vp09",
  },
  ...{
    aac: "AAC",
    mpeg2_aac: "AAC",
    heaac_v1: "AAC",
    ac3: "AC-3",
    eac3: "E-AC-3",
    alac: "ALAC",
    flac: "FLAC",
    mp2: "MPEG Audio",
  },
  ...{ mp3: "MPEG Audio", opus: "Opus", s302m: "PCM", vorbis: "Vorbis", pcm_alaw: "ADPCM", pcm_mulaw: "ADPCM" },
};

/** What MediaInfo 23 does not read, though others do: whole containers, and codecs in some of them. */
export const unread: readonly RegExp[] = [/^nut /, /^alaw /, /^mulaw /, /^\.ivf /, /^mpegts s302m$/];
