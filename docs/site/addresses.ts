import { posix } from "node:path";

/** Types of files that a farm serves as they are. Others are shown as text. */
const served = /\.(?:html|json|png|txt)$/;

/** Where a file of the repository lies within the site: `docs/jobs/time.md` is at `jobs/time.html`. */
export const addressOf = (file: string): string => {
  const place = file.startsWith("docs/") ? file.slice("docs/".length) : `project/${file.toLowerCase()}`;
  const page = place.replace(/(^|\/)README\.md$/, "$1index.html").replace(/\.md$/, ".html");
  return served.test(page) ? page : `${page}.txt`;
};

/** A link of Markdown: to another place on the web, or to a file of the repository with an anchor. */
export type Target =
  | { readonly kind: "web"; readonly url: string }
  | { readonly kind: "file"; readonly file: string; readonly anchor: string }
  | { readonly kind: "refused" };

/** What a link in `from` leads to. A folder's page is its README. Only https, http and mailto lead out of the site. */
export const targetOf = (from: string, href: string): Target => {
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) return { kind: "web", url: href };
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(href)) return { kind: "refused" };
  const [path = "", anchor = ""] = href.split("#");
  if (path === "") return { kind: "file", file: from, anchor };
  const file = posix.join(posix.dirname(from), path);
  if (file.startsWith("..")) return { kind: "refused" };
  return { kind: "file", file: file.endsWith("/") ? `${file}README.md` : file, anchor };
};

/** The way from one page's address to another's, so that the site works at any place. */
export const wayBetween = (from: string, to: string): string => posix.relative(posix.dirname(from), to);
