/** How bad it is: `warn` works now and may not tomorrow, `bad` does not work. */
export const severities = ["ok", "warn", "bad"] as const;
export type Severity = (typeof severities)[number];

/** One thing that was looked at. */
export type Finding = {
  /** What was looked at, such as `ffmpeg` or `disk space`. */
  readonly what: string;
  readonly severity: Severity;
  /** One sentence for people. */
  readonly words: string;
  /** What to do about it. */
  readonly next?: string;
};

export const ok = (what: string, words: string): Finding => ({ what, severity: "ok", words });
export const warn = (what: string, words: string, next: string): Finding => ({ what, severity: "warn", words, next });
export const bad = (what: string, words: string, next: string): Finding => ({ what, severity: "bad", words, next });

export const worstOf = (findings: readonly Finding[]): Severity => {
  const has = (severity: Severity): boolean => findings.some((finding) => finding.severity === severity);
  if (has("bad")) return "bad";
  return has("warn") ? "warn" : "ok";
};
