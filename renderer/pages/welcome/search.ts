/** The one-time code of a link. */
export const welcomeSearch = (search: Record<string, unknown>): { code: string } => ({
  // A code of digits alone arrives as a number.
  code: search.code === undefined ? "" : String(search.code),
});
