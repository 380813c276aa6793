/** What an address of the app's own scheme asks for. */
export type DeepLink =
  | { readonly open: "page"; readonly hash: string }
  /** Joining is asked about in a dialog: a link on any web page can bring one. */
  | { readonly open: "join"; readonly joinToken: string };

export const scheme = "mediafarm";

/** Pages that a link may open; everything else stays closed. */
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

/** The address among the words of a program's start, as Windows and Linux hand it over. */
export const addressIn = (words: readonly string[]): string | undefined =>
  words.find((word) => word.startsWith(`${scheme}://`));
