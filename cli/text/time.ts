/** `12 s`, `5 min`, `3.2 h`, `4 days`. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86_400)} days`;
};

/** How long something took, or has taken so far. */
export const tookText = (start: string | null | undefined, end: string | null | undefined, now: number): string =>
  start ? durationText((end ? Date.parse(end) : now) - Date.parse(start)) : "";

export const agoText = (time: string, now: number): string => `${durationText(now - Date.parse(time))} ago`;
