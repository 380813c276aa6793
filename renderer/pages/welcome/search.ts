/** The one-time code of a link. */
export const welcomeSearch = (search: Record<string, unknown>): { code: string } => ({
  // A code that has only digits arrives as a number.
  code: search.code === undefined ? "" : String(search.code),
});
