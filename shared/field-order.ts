/**
 * Whether the upper field is shown first. ffprobe's first letter says it: for fields that lie line by line in a frame,
 * ffmpeg writes and reads `tb` where the upper one comes first, whatever the names of its values suggest.
 */
export const isTopFirst = (order: string | undefined): boolean => order?.startsWith("t") === true;
