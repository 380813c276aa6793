export const pixelFormats = [
  ...["yuv411p", "yuv420p", "yuv422p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuva444p10le", "yuv420p12le"],
  ...["yuv422p12le", "yuv444p12le", "yuv420p16le", "yuv422p16le", "yuv444p16le", "yuva444p16le", "yuvj420p"],
  ...["yuvj422p", "rgb24", "rgb48be", "rgba64be", "rgb48le", "rgba64le", "gbrp10le", "gbrp10be", "gbrp12le"],
  ...["gbrp12be"],
] as const;

export const primaries = [
  ...["bt601", "bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "smpte431", "smpte432", "bt2020", "film"],
] as const;

/** Transfers that colours may be converted between; targets may be tagged with some more. */
export const convertibleTransfers = [
  ...["bt601", "bt709", "st2084", "gamma22", "gamma28", "smpte170m", "smpte240m", "linear", "log", "log sqrt"],
  ...["bt1361 ecg", "iec61966 2.1", "iec61966 2.4", "bt2020_10bit", "bt2020_12bit", "hlg", "arib_stdb67"],
] as const;
export const transfers = [...convertibleTransfers, "bt470m", "bt470bg", "smpte428"] as const;

export const matrices = [
  ...["rgb", "bt470bg", "bt601", "bt709", "smpte170m", "smpte240m", "bt2020c", "bt2020nc", "smpte2085"],
] as const;

export const ranges = ["auto", "full", "limited"] as const;

export const profiles = [
  ...["baseline", "main", "main10", "main-intra", "mainstillpicture", "main444-8", "main444-intra"],
  ...["main444-stillpicture", "main10-intra", "main422-10", "main422-10-intra", "main444-10", "main444-10-intra"],
  ...["high", "high10", "high422", "high444", "MP", "HP", "SP", "422P", "apco", "apcs", "apcn", "apch", "ap4h", "ap4x"],
  ...["jpeg2000", "p0", "p1", "cinema2k", "cinema4k", "cinema2k_scalable", "cinema4k_scalable", "cinema_lts"],
  ...["bc_single", "bc_multi", "bc_multi_r", "imf_2k", "imf_4k", "imf_8k", "imf_2k_r", "imf_4k_r", "imf_8k_r"],
] as const;

export const levels = [
  ...["1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "2.2", "3.0", "3.1", "3.2", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2"],
  ...["6.0", "LL", "ML", "HL", "H14"],
] as const;

export const presets = [
  ...["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"],
] as const;

export const tunes = [
  ...["psnr", "ssim", "fastdecode", "zerolatency", "film", "animation", "grain", "stillimage", "touhou"],
] as const;

export const scalingAlgorithms = [
  ...["bilinear", "bicubic", "nearest_neighbor", "lanczos", "bicubic_spline", "spline16", "spline36", "sinc"],
] as const;

/** Profiles of the vendor's own encoder, which the specification names and open tools do not have. */
export const streamProfiles = [
  ...["MPEG1", "MPEG2", "DVB", "DVHS", "VCD", "SVCD", "DVD", "DVD_MPEG1", "DVD_DVR", "DVD_DVR_MPEG1", "MMV"],
  ...["HDV_HD1", "HDV_HD2"],
] as const;

export const codecProviders = [
  ...["default", "the service", "thirdparty_v10", "thirdparty_v11", "dolby_impact", "x264", "x265"],
] as const;
