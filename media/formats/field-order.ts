/**
 * Whether the upper field is shown first. ffprobe's first letter decides: for interleaved fields, ffmpeg reads and
 * writes `tb` when the upper field comes first, whatever the value's name suggests.
 */
export const isTopFirst = (order: string | undefined): boolean => order?.startsWith("t") === true;
