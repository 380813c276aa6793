import { describe, expect, test } from "vitest";
import { type DocsIndex, searchDocs } from "../../docs/site/browser/search.ts";
import { makeSite, repository } from "../../docs/site/site.ts";

const index: DocsIndex = {
  pages: [
    { address: "operating.html", title: "Operating a farm" },
    { address: "api.html", title: "The API" },
  ],
  sections: [
    { page: 0, heading: "Operating a farm", anchor: "", text: "How a farm is kept, and what its backup holds." },
    { page: 0, heading: "Backup", anchor: "backup", text: "One file while the farm runs: mediafarm backup FILE." },
    {
      page: 1,
      heading: "GET /jobs",
      anchor: "get-jobs",
      text: `${"long ".repeat(100)}and a needle in it ${"more ".repeat(100)}`,
    },
  ],
};
const found = (query: string): string[] => searchDocs(index, query).map(({ address }) => address);

describe("the search", () => {
  test("puts headings before texts", () => {
    expect(found("backup")).toEqual(["operating.html#backup", "operating.html"]);
  });

  test("wants every word, in the page's title, the heading or the text, in any case", () => {
    expect(found("FARM runs")).toEqual(["operating.html#backup"]);
    expect(found("api needle")).toEqual(["api.html#get-jobs"]);
    expect(found("backup needle")).toEqual([]);
  });

  test("finds beginnings and parts of words, and signs as they are", () => {
    expect(found("need")).toEqual(["api.html#get-jobs"]);
    expect(found("eedl")).toEqual(["api.html#get-jobs"]);
    expect(found("get /jobs")).toEqual(["api.html#get-jobs"]);
    expect(found("(.*")).toEqual([]);
  });

  test("finds nothing where nothing is asked", () => {
    expect(["", "  "].flatMap(found)).toEqual([]);
  });

  test("shows the place with the words marked", () => {
    const [hit] = searchDocs(index, "needle");
    expect(hit?.parts.filter(({ isHit }) => isHit)).toEqual([{ text: "needle", isHit: true }]);
    const text = hit?.parts.map((part) => part.text).join("") ?? "";
    expect(text).toMatch(/^… .*and a needle in it .* …$/);
    expect(text.length).toBeLessThan(200);
  });

  test("gives at most as many as are asked for", () => {
    expect(searchDocs(index, "a", 1)).toHaveLength(1);
  });
});

/** What people look for, and the page that answers. */
test.each([
  ["second machine", "first-farm.html#4-a-second-machine"],
  ["restore", "operating.html#restore"],
  ["--allow-outbound", "jobs/notifications.html#what-nodes-may-reach"],
  ["forgotten password", "operating.html#security"],
  ["keycloak", "sign-in.html#set-it-up"],
  ["GET /events", "api.html#get-events"],
  ["GPL", "review/licences.html"],
  ["join-token renew", "command-line.html#join-token"],
])("“%s” leads to %s", (query, address) => {
  const hits = searchDocs(repositoryIndex(), query, 8).map((hit) => hit.address);
  expect(
    hits.some((hit) => hit === address || hit.startsWith(`${address}#`)),
    hits.join(" "),
  ).toBe(true);
});

let made: DocsIndex | undefined;
const repositoryIndex = (): DocsIndex => {
  made ??= makeSite(repository).index;
  return made;
};
