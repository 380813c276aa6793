import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { pages, pathOfPage, refresh } from "../../../docs/generate.ts";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { api } from "../../../shared/api/api.ts";
import type { Route } from "../../../shared/api/route.ts";
import { resolveDefinitions } from "../../../shared/model/definitions.ts";

const docs = join(import.meta.dirname, "../../../docs");
const read = (file: string): string => readFileSync(join(docs, file), "utf8");
const texts = globSync("**/*.md", { cwd: docs });
const examples = readdirSync(join(docs, "examples")).filter((file) => file.endsWith(".json"));

describe("generated parts", () => {
  test.each(pages.map((page) => [page.file, page] as const))("%s is what `node docs/generate.ts` writes", (_, page) => {
    const text = readFileSync(pathOfPage(page), "utf8");
    expect(text).toBe(refresh(text, page));
  });

  test("a page without its markers is refused by name", () => {
    const page = { file: "x.md", parts: { thing: () => "made" } };
    expect(refresh("a <!-- generated: thing -->old<!-- end: thing --> b", page)).toContain("\n\nmade\n<!-- end");
    expect(() => refresh("nothing here", page)).toThrow('x.md has no place for "thing"');
  });
});

test("THIRD-PARTY.md names every package that package.json does", () => {
  const root = join(docs, "..");
  const text = readFileSync(join(root, "THIRD-PARTY.md"), "utf8");
  const wanted = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const names = Object.keys({ ...wanted.dependencies, ...wanted.optionalDependencies, ...wanted.devDependencies });
  expect(names.filter((name) => !new RegExp(`[|,] ${name} ?[|,]`).test(text))).toEqual([]);
});

describe("examples", () => {
  test.each(examples)("%s is a job that is accepted without a warning", (file) => {
    const spec = parseJob(resolveDefinitions(JSON.parse(read(`examples/${file}`))));
    expect(spec.warnings).toEqual([]);
    expect(JSON.stringify(spec.elements)).not.toContain("{{");
  });

  test("each one can be moved to another folder by one replacement", () => {
    for (const file of examples) expect(read(`examples/${file}`).split("/tmp/first-farm")).toHaveLength(2);
  });
});

describe("the API's page", () => {
  test("names every route", () => {
    const page = read("api.md");
    const headings = page.split("\n").filter((line) => line.startsWith("### "));
    for (const { method, path } of Object.values(api)) {
      const isNamed = headings.some((line) => line.slice(4).split(", ").includes(`${method} ${path}`));
      expect(isNamed, `${method} ${path} has a heading`).toBe(true);
    }
  });
});

test("the API's page has an example of every call, as curl sends it", () => {
  const scripts = [...read("api.md").matchAll(/```sh\n(.*?)```/gs)].map(([, script = ""]) => script).join("");
  const calls = [...scripts.matchAll(/\b(?:mf|curl) [^\n]*\$\{?MEDIAFARM_URL(?:%\/v1\})?([^\s"?]*)[^\n]*/g)].map(
    ([line, path = ""]) => {
      const method = /-X ([A-Z]+)/.exec(line)?.[1] ?? (/ (?:-d|--data-binary) /.test(line) ? "POST" : "GET");
      return `${method} ${path}`;
    },
  );
  const lacking = Object.values(api).filter(({ method, path }) => {
    const form = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return !calls.some((call) => form.test(call));
  });
  expect(lacking.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

describe("the answers that the API's page shows", () => {
  /** Each answer with the call that it stands below. */
  const shown = read("api.md")
    .split(/^##+ /m)
    .filter((section) => /^[A-Z]+ \//.test(section))
    .flatMap((section) => {
      const [heading = ""] = section.split("\n");
      const answers = [...section.matchAll(/```sh\n.*?```\n\n```json\n(.*?)```/gs)].map(([, json = ""]) => json);
      return answers.map((json) => [heading, json] as const);
    });
  const returnsOf = (heading: string) =>
    Object.values<Route>(api).filter(({ method, path }) => heading.split(", ").includes(`${method} ${path}`));

  test.each(shown)("%s: are what the table says that it returns", (heading, json) => {
    const routes = returnsOf(heading);
    const faults = routes.map(({ returns }) => returns.safeParse(JSON.parse(json)).error?.issues);
    expect(routes.length).toBeGreaterThan(0);
    expect(faults).toContain(undefined); // one of the calls of a shared heading is enough
  });
});

describe("links", () => {
  test.each(texts)("those of %s lead to something", (file) => {
    const targets = [...read(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
    const local = targets.filter((target) => !/^[a-z]+:/.test(target));
    for (const target of local) {
      const [folder, name] = [join(docs, dirname(file), dirname(target)), target.replace(/\/$/, "").split("/").at(-1)];
      expect(readdirSync(folder), `${file} links to ${target}`).toContain(name);
    }
  });

  test.each(texts)("paths of the repository that %s names are there", (file) => {
    const named = [
      ...read(file).matchAll(/`((?:docs|shared|media|test|cli|agent|coordinator)\/[\w./-]+\.(?:ts|json))`/g),
    ];
    for (const [, path = ""] of named) {
      expect(readdirSync(join(docs, "..", dirname(path))), `${file} names ${path}`).toContain(path.split("/").at(-1));
    }
  });
});
