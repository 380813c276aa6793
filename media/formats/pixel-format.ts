/** Bits of one component of a pixel format: `yuv420p10le` has 10. */
export const bitDepthOf = (format: string | undefined): number | undefined => {
  if (format === undefined) return undefined;
  const wide = /(?:p|gray|x2rgb|x2bgr|ya|xyz)(9|10|12|14|16|32)(?:le|be)?$/.exec(format)?.[1];
  if (wide) return Number(wide);
  if (/^p0?(10|12|16)/.test(format)) return Number(/^p0?(10|12|16)/.exec(format)?.[1]);
  return /^(rgb|bgr)(48|64)|^rgba64|^bgra64/.test(format) ? 16 : 8;
};

/** `CS_420` and similar; undefined without separate chroma, as in RGB. */
export const chromaOf = (format: string | undefined): string | undefined => {
  const found = /^(?:yuva?j?|nv|p0?)(4[0-4]\d|12|16|20|21|24|10)/.exec(format ?? "")?.[1];
  if (!found) return undefined;
  const semiPlanar: Readonly<Record<string, string>> = {
    12: "420",
    21: "420",
    10: "420",
    16: "422",
    20: "422",
    24: "444",
  };
  return `CS_${semiPlanar[found] ?? found}`;
};

export const colorSpaceOf = (format: string | undefined): string | undefined => {
  if (format === undefined) return undefined;
  if (/^(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|x2rgb|x2bgr|pal8)/.test(format)) return "RGB";
  return /^(gray|mono|ya\d)/.test(format) ? "Y" : "YUV";
};

/** Whether its points may be seen through. */
export const hasAlpha = (format: string | undefined): boolean =>
  /^(yuva|rgba|bgra|argb|abgr|gbrap|ya\d|ayuv|vuya)/.test(format ?? "");
