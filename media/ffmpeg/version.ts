/** The first release in which every cut is tested to the frame and to the sample. */
const leastExact = 6;

/**
 * What an ffmpeg of this version cannot guarantee; undefined if nothing is known. Builds between releases
 * (`N-112233-g…`, a date) have no number and are trusted.
 */
export const doubtOf = (version: string): string | undefined => {
  const release = /^n?(\d{1,2})\.\d/.exec(version)?.[1];
  if (release === undefined || Number(release) >= leastExact) return undefined;
  return `ffmpeg ${version} is older than ${leastExact}: cuts of some sources are a frame or some samples off (docs/jobs/sources.md)`;
};
