import { describe, expect, test } from "vitest";
import { groups } from "../../docs/site/map.ts";
import { makeSite, repository, type Sources, unlisted } from "../../docs/site/site.ts";

const site = makeSite(repository, { farm: "../" });
const pages = [...site.files].filter(([address]) => address.endsWith(".html")) as [string, string][]; // pages are texts

describe("the site of this repository", () => {
  test("has every page once, in an order", () => {
    const listed = groups.flatMap(({ files }) => files);
    expect(new Set(listed).size).toBe(listed.length);
    expect(unlisted()).toEqual([]);
    expect(pages).toHaveLength(listed.length);
  });

  test("has no link, anchor or picture that leads to nothing", () => {
    expect(site.faults).toEqual([]);
  });

  test("leads from each address that a page has to another file of the site", () => {
    const known = new Set([...site.files.keys(), "site/site.css", "site/site.js", "site/mark.svg"]);
    const wrong = pages.flatMap(([address, html]) =>
      [...html.matchAll(/ (?:href|src)="([^"#]*)(?:#[^"]*)?"/g)].flatMap(([, to = ""]) => {
        const url = new URL(to, `http://site/docs/${address}`);
        const isKnown =
          to === "" || /^(?:https?|mailto):/.test(to) || url.pathname === "/" || known.has(url.pathname.slice(6));
        return isKnown ? [] : [`${address}: ${to}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("runs no script but its own, and asks nobody else for anything", () => {
    for (const [address, html] of pages) {
      expect([address, [...html.matchAll(/<script/g)].length]).toEqual([address, 1]);
      expect(html).not.toMatch(/ style="| on\w+="|<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//);
    }
  });

  test("has one title and no heading out of turn on every page", () => {
    for (const [address, html] of pages) {
      const depths = [...html.slice(html.indexOf("<main")).matchAll(/<h([1-6])/g)].map(([, depth]) => Number(depth));
      expect([address, depths.filter((depth) => depth === 1)]).toEqual([address, [1]]);
      const jumps = depths.filter((depth, nr) => depth > (depths[nr - 1] ?? 0) + 1);
      expect([address, jumps]).toEqual([address, []]);
    }
  });

  test("stays small: pages, and what is searched", () => {
    const size = (address: string): number => site.files.get(address)?.length ?? Number.POSITIVE_INFINITY;
    expect(size("site/search-index.js")).toBeLessThan(1_000_000);
    expect(Math.max(...pages.map(([address]) => size(address)))).toBeLessThan(300_000);
  });
});

describe("a site of two pages", () => {
  const png = Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
    Buffer.from([0, 0, 0, 9, 0, 0, 0, 7, 8]),
  ]);
  const make = (texts: Readonly<Record<string, string | Buffer>>) => {
    const sources: Sources = (file) => (file in texts ? Buffer.from(texts[file] ?? "") : undefined);
    return makeSite(sources, { map: [{ title: "All", files: ["docs/README.md", "docs/a/b.md"] }] });
  };

  test("links them to each other, with the way out and the neighbours", () => {
    const { files, faults } = make({
      "docs/README.md": "# First\n\n[b](a/b.md#two) ![p](p.png) [job](a/job.json)",
      "docs/a/b.md": "# Second\n\n## Two\n\n[first](../)",
      "docs/p.png": png,
      "docs/a/job.json": "{}",
    });
    expect(faults).toEqual([]);
    expect([...files.keys()]).toEqual(["index.html", "a/b.html", "p.png", "a/job.json", "site/search-index.js"]);
    const [first, second] = [String(files.get("index.html")), String(files.get("a/b.html"))];
    expect(first).toContain('<a href="a/b.html#two">b</a>');
    expect(first).toContain('<img src="p.png" alt="p" width="9" height="7" loading="lazy">');
    expect(first).toContain('<a href="index.html" aria-current="page">First</a>');
    expect(first).toContain('<a class="next" href="a/b.html"><span>Next</span> Second</a>');
    expect(first).not.toContain("Dashboard</a>");
    expect(second).toContain('<script src="../site/site.js" data-base="../"></script>');
    expect(second).toContain('<a href="../index.html">first</a>');
    expect(second).toContain('<a class="previous" href="../index.html"><span>Previous</span> First</a>');
  });

  test("says what is wrong: pages, files, pictures, anchors and ways out", () => {
    const { faults } = make({
      "docs/README.md": "# First\n\n[a](gone.md) [b](#none) [c](../../../etc/passwd) ![d](p.png) [e](javascript:x)",
      "docs/p.png": "no picture",
    });
    expect(faults).toEqual([
      "docs/README.md names gone.md, which is not there",
      "docs/README.md names ../../../etc/passwd, which is not there",
      "docs/README.md names p.png, which is not there",
      "docs/README.md names javascript:x, which is not there",
      "docs/a/b.md is in the map, but not there",
      "docs/README.md names #none, but no heading is called that",
    ]);
  });
});
