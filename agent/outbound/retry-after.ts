type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How long a server asks to wait (`Retry-After`), in milliseconds; 0 if it does not say. A date is read by its own clock. */
export const retryAfterMs = (headers: Headers): number => {
  const text = String(headers["retry-after"] ?? "").trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!text.endsWith("GMT")) return 0;
  const ms = Date.parse(text) - Date.parse(String(headers.date));
  return ms > 0 ? ms : 0;
};
