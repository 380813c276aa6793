import { describe, expect, test } from "vitest";
import { addressOf, targetOf, wayBetween } from "../../docs/site/addresses.ts";
import { createAnchors } from "../../docs/site/anchors.ts";
import { type Reach, render } from "../../docs/site/markdown.ts";

const reach: Reach = {
  link: (href) => (href === "gone.md" ? undefined : href.replace(/\.md\b/, ".html")),
  picture: (href) => (href === "gone.png" ? undefined : { src: href, width: 20, height: 10 }),
};
const html = (markdown: string): string => render(markdown, reach).html.trim();

describe("Markdown", () => {
  test.each([
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["a <img src=x onerror=alert(1)> b", "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>"],
    ["<!-- generated: x -->", ""],
    ["<!-- a --><script>b()</script><!-- c -->", "&lt;!-- a --&gt;&lt;script&gt;b()&lt;/script&gt;&lt;!-- c --&gt;"],
    ["`<b>`", '<p><code class="whole">&lt;b&gt;</code></p>'],
  ])("%s is shown as text, and a comment not at all", (markdown, expected) => {
    const shown = html(markdown);
    expect(shown).not.toContain("<script");
    expect(shown).not.toContain("<img");
    expect(shown).toBe(expected);
  });

  test("a quote in a link or a picture cannot leave its attribute", () => {
    expect(html('[a](<x"onmouseover="b>)')).toBe('<p><a href="x&quot;onmouseover=&quot;b">a</a></p>');
    expect(html('![a"b](c.png)')).toContain('alt="a&quot;b"');
  });

  test("a link or a picture that is not there leaves its words", () => {
    expect(html("[a](gone.md) ![b](gone.png)")).toBe("<p>a b</p>");
  });

  test("addresses of storage within a text are no links", () => {
    expect(html("from ftp://nas/a.mov or https://example.com/b")).toBe(
      '<p>from ftp://nas/a.mov or <a href="https://example.com/b">https://example.com/b</a></p>',
    );
  });

  test("headings have anchors, and those of chapters a link to themselves", () => {
    expect(html("# Page\n\n## A `b`: c\n\n## A b c")).toBe(
      '<h1>Page</h1>\n<h2 id="a-b-c">A <code class="whole">b</code>: c <a class="anchor" href="#a-b-c" aria-label="Link to “A b: c”">#</a></h2>\n' +
        '<h2 id="a-b-c-1">A b c <a class="anchor" href="#a-b-c-1" aria-label="Link to “A b c”">#</a></h2>',
    );
  });

  test("commands can be copied, what programs print cannot; both can be scrolled by keys", () => {
    expect(html("```sh\na < b\n```")).toBe(
      '<div class="code" data-copy="sh"><pre tabindex="0" role="group" aria-label="Commands"><code>a &lt; b</code></pre></div>',
    );
    expect(html("```text\na\n```")).toContain('<div class="code"><pre tabindex="0" role="group" aria-label="Code">');
  });

  test("short words of code stay in one piece", () => {
    expect(html("`--allow-outbound` `mediafarm up`")).toBe(
      '<p><code class="whole">--allow-outbound</code> <code>mediafarm up</code></p>',
    );
  });

  test("a table scrolls inside a frame that names its columns", () => {
    const shown = html("| a | b |\n| --- | ---: |\n| `c` | d |");
    expect(shown).toContain('<div class="table" tabindex="0" role="group" aria-label="Table: a, b"><table>');
    expect(shown).toContain('<th scope="col">a</th><th scope="col" class="right">b</th>');
    expect(shown).toContain('<td><code class="whole">c</code></td><td class="right">d</td>');
  });

  test("a table without heads has none, and a head without words is no head", () => {
    expect(html("| | |\n| --- | --- |\n| a | b |")).toBe(
      '<div class="table" tabindex="0" role="group" aria-label="Table"><table><tbody><tr><td>a</td><td>b</td></tr>\n</tbody></table></div>',
    );
    expect(html("| | a |\n| --- | --- |\n| b | c |")).toContain('<thead><tr><td></td><th scope="col">a</th></tr>');
  });

  test("what is searched for is the text of each chapter, without markup", () => {
    const { title, sections } = render(
      "# T\n\nIntro *x*.\n\n## One\n\n- `--a` [b](c.md)\n\n| h |\n| --- |\n| cell |",
      reach,
    );
    expect(title).toBe("T");
    expect(sections).toEqual([
      { heading: "T", anchor: "", text: "Intro x." },
      { heading: "One", anchor: "one", text: "--a b h cell" },
    ]);
  });
});

test("anchors are GitHub's", () => {
  const anchor = createAnchors();
  const headings = [
    "GET /jobs/{job_id}/info",
    "4. A second machine",
    "Why is this not running?",
    "What's `new`",
    "Again",
    "Again",
  ];
  expect(headings.map(anchor)).toEqual([
    ...["get-jobsjob_idinfo", "4-a-second-machine", "why-is-this-not-running", "whats-new"],
    ...["again", "again-1"],
  ]);
});

describe("addresses", () => {
  test.each([
    ["docs/README.md", "index.html"],
    ["docs/jobs/time.md", "jobs/time.html"],
    ["docs/design/README.md", "design/index.html"],
    ["CHANGELOG.md", "project/changelog.html"],
    ["LICENSE", "project/license.txt"],
    ["docs/jobs/script.d.ts", "jobs/script.d.ts.txt"],
    ["docs/examples/a.json", "examples/a.json"],
  ])("%s is at %s", (file, address) => {
    expect(addressOf(file)).toBe(address);
  });

  test.each([
    ["time.md#clips", { kind: "file", file: "docs/jobs/time.md", anchor: "clips" }],
    ["#here", { kind: "file", file: "docs/jobs/codecs.md", anchor: "here" }],
    ["../../LICENSE", { kind: "file", file: "LICENSE", anchor: "" }],
    ["../examples/", { kind: "file", file: "docs/examples/README.md", anchor: "" }],
    ["https://example.com/#a", { kind: "web", url: "https://example.com/#a" }],
    ["../../../etc/passwd", { kind: "refused" }],
    ["/etc/passwd", { kind: "refused" }],
    ["javascript:alert(1)", { kind: "refused" }],
    ["JavaScript:alert(1)", { kind: "refused" }],
    ["data:text/html,x", { kind: "refused" }],
  ])("%s in a page leads to the right place, or nowhere", (href, expected) => {
    expect(targetOf("docs/jobs/codecs.md", href)).toEqual(expected);
  });

  test("ways are relative, so that the site works at any place", () => {
    expect(wayBetween("jobs/time.html", "index.html")).toBe("../index.html");
    expect(wayBetween("index.html", "jobs/time.html")).toBe("jobs/time.html");
  });
});
