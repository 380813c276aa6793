import { escaped } from "./escape.ts";
import type { Heading } from "./markdown.ts";

export type Link = { readonly href: string; readonly title: string; readonly isHere: boolean };
export type LayoutNeeds = {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly groups: readonly { readonly title: string; readonly links: readonly Link[] }[];
  readonly previous: Link | undefined;
  readonly next: Link | undefined;
  /** The way to the site's own folder: "" or "../". */
  readonly base: string;
  /** The way from there to the dashboard, where the farm itself serves the site. */
  readonly farm: string | undefined;
  readonly version: string;
};

/** A whole page. It is read without its script; that adds search, copying, and the dashboard's choice of theme. */
export const layout = (needs: LayoutNeeds): string => {
  const { title, html, base, version } = needs;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Mediafarm</title>
<link rel="icon" href="${base}site/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}site/site.css">
<script src="${base}site/site.js" data-base="${base}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="${base}index.html"><img src="${base}site/mark.svg" alt="" width="20" height="20">Mediafarm <span>docs</span></a>
<div class="search" role="search" hidden></div>
${needs.farm === undefined ? "" : `<a class="farm" href="${base}${needs.farm}">Dashboard</a>`}
</header>
<div class="middle">
${navigation(needs)}
<main id="content" tabindex="-1">
${html}
${around(needs)}
<footer>Mediafarm ${escaped(version)}</footer>
</main>
${contents(needs.headings)}
</div>
</body>
</html>
`;
};

const anchor = ({ href, title, isHere }: Link): string =>
  `<a href="${escaped(href)}"${isHere ? ' aria-current="page"' : ""}>${escaped(title)}</a>`;

const navigation = ({ groups }: LayoutNeeds): string => {
  const inside = groups.map(
    ({ title, links }) =>
      `<p class="group">${escaped(title)}</p>\n<ul aria-label="${escaped(title)}">${links.map((link) => `<li>${anchor(link)}</li>`).join("\n")}</ul>`,
  );
  return `<nav class="pages" aria-label="Pages"><details><summary>All pages</summary>\n${inside.join("\n")}\n</details></nav>`;
};

/** Chapters and their parts; a page of one chapter needs no list of it. */
const contents = (headings: readonly Heading[]): string => {
  const listed = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (listed.length < 2) return '<div class="contents"></div>';
  const lines = listed.map(
    ({ depth, text, anchor: to }) => `<li class="depth${depth}"><a href="#${escaped(to)}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary>\n<ul>${lines.join("\n")}</ul>\n</details></nav>`;
};

const around = ({ previous, next }: LayoutNeeds): string => {
  const side = (link: Link | undefined, word: string) =>
    link === undefined
      ? ""
      : `<a class="${word.toLowerCase()}" href="${escaped(link.href)}"><span>${word}</span> ${escaped(link.title)}</a>`;
  return `<nav class="around" aria-label="Previous and next page">${side(previous, "Previous")}${side(next, "Next")}</nav>`;
};
