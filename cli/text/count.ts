/** `1 job`, `2 jobs`. */
export const jobCount = (jobs: number): string => `${jobs} ${jobs === 1 ? "job" : "jobs"}`;
