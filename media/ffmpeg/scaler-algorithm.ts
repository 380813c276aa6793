/** Algorithm in jobs -> flag of ffmpeg's scaler. */
const flags: Readonly<Record<string, string>> = {
  ...{ bilinear: "bilinear", bicubic: "bicubic", nearest_neighbor: "neighbor", lanczos: "lanczos" },
  ...{ bicubic_spline: "spline", spline16: "spline", spline36: "spline", sinc: "sinc" },
};

/** The flag of ffmpeg's scaler for an algorithm of a job; bicubic where it names none. */
export const scalerFlag = (algorithm = "bicubic"): string => flags[algorithm] ?? "bicubic";
