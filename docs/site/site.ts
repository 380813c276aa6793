import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { addressOf, targetOf, wayBetween } from "./addresses.ts";
import type { DocsIndex } from "./browser/search.ts";
import { type Link, layout } from "./layout.ts";
import { groups } from "./map.ts";
import { type Picture, type Reach, type Rendered, render } from "./markdown.ts";

/** Where this repository is. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The files that a site is made from, by their paths from the top folder; undefined: there is none. */
export type Sources = (file: string) => Buffer | undefined;
export type Site = {
  /** By address within the site. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly index: DocsIndex;
  /** Links and pictures that lead to nothing, in words. */
  readonly faults: readonly string[];
};
type Page = { readonly file: string; readonly address: string; readonly read: Rendered };
type Group = { readonly title: string; readonly files: readonly string[] };

/** All pages of the site, what they show and link to, and what is wrong with them. It writes nothing. */
export const makeSite = (sources: Sources, { map = groups, farm = undefined as string | undefined } = {}): Site => {
  const order = map.flatMap(({ files }) => files);
  const assets = new Map<string, Buffer>();
  const [faults, anchored]: [string[], Anchored[]] = [[], []];
  const pages = order.flatMap((file): Page[] => {
    const source = sources(file);
    if (source === undefined) faults.push(`${file} is in the map, but not there`);
    const reach = reachFrom(file, { order: new Set(order), sources, assets, anchored, faults });
    return source ? [{ file, address: addressOf(file), read: render(source.toString(), reach) }] : [];
  });
  faults.push(...anchorFaults(pages, anchored));
  const titles = new Map(pages.map(({ file, read }) => [file, read.title === "" ? file : read.title]));
  const index = indexOf(pages, titles);
  const files = new Map<string, string | Buffer>([
    ...pages.map((page, nr) => [page.address, wholePage(page, { map, pages, titles, farm, nr })] as const),
    ...assets,
    // A script, because browsers read no other file from a disk.
    ["site/search-index.js", `globalThis.docsIndex = ${JSON.stringify(index)};\n`],
  ]);
  return { files, index, faults };
};

/** Files of the repository, and of nothing else. */
export const repository: Sources = (file) =>
  existsSync(`${root}${file}`) ? readFileSync(`${root}${file}`) : undefined;

/** Pages of `docs/` that nobody could find, because they are not in the map. */
export const unlisted = (): string[] => {
  const listed = new Set(groups.flatMap(({ files }) => files));
  return globSync("docs/**/*.md", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((file) => !listed.has(file));
};

/** A link to a heading, which is checked when all pages are read. */
type Anchored = { readonly from: string; readonly href: string; readonly file: string; readonly anchor: string };
type Known = {
  readonly order: ReadonlySet<string>;
  readonly sources: Sources;
  readonly assets: Map<string, Buffer>;
  readonly anchored: Anchored[];
  readonly faults: string[];
};

const reachFrom = (from: string, { order, sources, assets, anchored, faults }: Known): Reach => {
  const fault = (href: string): undefined => void faults.push(`${from} names ${href}, which is not there`);
  const asset = (file: string): string | undefined => {
    const content = sources(file);
    if (content) assets.set(addressOf(file), content);
    return content && wayBetween(addressOf(from), addressOf(file));
  };
  return {
    link: (href) => {
      const target = targetOf(from, href);
      if (target.kind === "web") return target.url;
      if (target.kind === "refused") return fault(href);
      const anchor = target.anchor === "" ? "" : `#${target.anchor}`;
      if (anchor !== "") anchored.push({ from, href, file: target.file, anchor: target.anchor });
      if (target.file === from) return anchor;
      const way = order.has(target.file) ? wayBetween(addressOf(from), addressOf(target.file)) : asset(target.file);
      return way === undefined ? fault(href) : `${way}${anchor}`;
    },
    picture: (href) => {
      const target = targetOf(from, href);
      const content = target.kind === "file" ? sources(target.file) : undefined;
      const size = content && sizeOfPng(content);
      if (target.kind !== "file" || size === undefined) return fault(href);
      return { src: asset(target.file) ?? "", ...size };
    },
  };
};

/** Width and height are the first words of a PNG's first chunk. */
const sizeOfPng = (content: Buffer): Omit<Picture, "src"> | undefined =>
  content.length > 24 && content.toString("latin1", 1, 4) === "PNG"
    ? { width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
    : undefined;

const anchorFaults = (pages: readonly Page[], anchored: readonly Anchored[]): string[] => {
  const anchors = new Map(pages.map(({ file, read }) => [file, new Set(read.headings.map(({ anchor }) => anchor))]));
  return anchored
    .filter(({ file, anchor }) => !anchors.get(file)?.has(anchor))
    .map(({ from, href }) => `${from} names ${href}, but no heading is called that`);
};

type Titles = ReadonlyMap<string, string>;

const indexOf = (pages: readonly Page[], titles: Titles): DocsIndex => ({
  pages: pages.map(({ file, address }) => ({ address, title: titles.get(file) ?? file })),
  sections: pages.flatMap(({ read }, page) => read.sections.map((section) => ({ page, ...section }))),
});

type Whole = {
  readonly map: readonly Group[];
  readonly pages: readonly Page[];
  readonly titles: Titles;
  readonly farm: string | undefined;
  readonly nr: number;
};

const wholePage = ({ file, address, read }: Page, { map, pages, titles, farm, nr }: Whole): string => {
  const linkTo = (other: string): Link => ({
    href: wayBetween(address, addressOf(other)),
    title: titles.get(other) ?? other,
    isHere: other === file,
  });
  const neighbour = (page: Page | undefined) => page && linkTo(page.file);
  const base = posix.relative(posix.dirname(address), ".");
  return layout({
    ...{ title: read.title, html: read.html, headings: read.headings, farm, version: packageJson.version },
    groups: map.map(({ title, files }) => ({ title, links: files.filter((each) => titles.has(each)).map(linkTo) })),
    previous: neighbour(pages[nr - 1]),
    next: neighbour(pages[nr + 1]),
    base: base === "" ? "" : `${base}/`,
  });
};
