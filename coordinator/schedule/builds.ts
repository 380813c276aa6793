const mark = "build:";

/** What tasks require whose results must be of one encoder: a build of ffmpeg. The farm says which nodes have it. */
export const buildNeed = (build: string): string => `${mark}${build}`;

export const isBuildNeed = (need: string): boolean => need.startsWith(mark);
