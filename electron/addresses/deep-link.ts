/** What an address of the app's own scheme requests. */
export type DeepLink =
  | { readonly open: "page"; readonly hash: string }
  /** Joining is confirmed in a dialog, because any web page can contain such a link. */
  | { readonly open: "join"; readonly joinToken: string };

export const scheme = "mediafarm";

/** Pages that a link may open; no others. */
const pages: readonly RegExp[] = [
  /^\/(?:overview|jobs|nodes|submit|computer|settings|timeline)$/,
  /^\/(?:jobs|nodes)\/\d{1,15}$/,
];

/** Reads `mediafarm://jobs/12` and `mediafarm://join?token=…`; undefined for anything else, whoever sent it. */
export const readDeepLink = (address: string): DeepLink | undefined => {
  const parsed = URL.parse(address);
  if (!parsed || !address.startsWith(`${scheme}://`) || address.length > 8000) return undefined;
  const { host, pathname, searchParams } = parsed;
  const path = `/${host}${pathname}`.replace(/\/+$/, "");
  const joinToken = searchParams.get("token");
  if (path === "/join" && joinToken !== null) return { open: "join", joinToken };
  return pages.some((page) => page.test(path)) ? { open: "page", hash: `#${path}` } : undefined;
};

/** The address in a program's arguments, where Windows and Linux put it. */
export const addressIn = (words: readonly string[]): string | undefined =>
  words.find((word) => word.startsWith(`${scheme}://`));
