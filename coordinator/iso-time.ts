/** `YYYY-MM-DDTHH:MM:SS.mmmZ`; clients parse exactly this. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
