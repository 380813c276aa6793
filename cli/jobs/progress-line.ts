export type ProgressView = {
  readonly percent: number;
  /** Seconds since the start. */
  readonly elapsed: number;
  readonly fps: number | undefined;
  readonly note: string;
  readonly columns: number;
};

/** `[=====>     ]  42 %  118 fps  about 12 s left`, no wider than the terminal. */
export const progressLine = ({ percent, elapsed, fps, note, columns }: ProgressView): string => {
  const facts = [
    `${String(Math.floor(percent)).padStart(3)} %`,
    !fps ? "" : `${Math.round(fps)} fps`,
    note || remaining(percent, elapsed),
  ].filter(Boolean);
  const words = facts.join("  ");
  const width = Math.max(0, Math.min(40, columns - words.length - 5));
  return `${bar(percent, width)}${words}`.slice(0, Math.max(columns - 1, 1));
};

const bar = (percent: number, width: number): string => {
  if (width < 5) return "";
  const full = Math.round((width * Math.min(percent, 100)) / 100);
  return `[${"=".repeat(full)}${full < width ? ">" : ""}${" ".repeat(Math.max(0, width - full - 1))}] `;
};

/** Unknown until enough is done to tell. */
const remaining = (percent: number, elapsed: number): string => {
  if (percent < 3 || percent >= 100 || elapsed < 1) return "";
  return `about ${duration((elapsed * (100 - percent)) / percent)} left`;
};

const duration = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
};
