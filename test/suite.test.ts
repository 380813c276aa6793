import { globSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, test } from "vitest";
import config from "../vitest.config.ts";

const root = join(import.meta.dirname, "..");

/** Repeats stories of another project on another store. */
const repeating = "postgres";

/** The projects whose patterns name each file of tests. */
const projectsByFile = async (): Promise<Map<string, string[]>> => {
  const { projects = [] } = (await config).test ?? {};
  const patterns = projects.map((project) => {
    if (typeof project !== "object" || !("test" in project))
      throw new Error("a project is written in the table itself");
    return { name: String(project.test?.name), include: project.test?.include ?? [] };
  });
  const files = globSync("**/*.test.{ts,tsx}", { cwd: root, exclude: ["node_modules", ".build", "dist"] });
  return new Map(
    files.map((file) => {
      const named = patterns.filter(({ include }) => include.some((pattern) => matchesGlob(file, pattern)));
      return [file, named.map(({ name }) => name)];
    }),
  );
};

test("every file of tests belongs to exactly one project, so that none is left out and none runs twice", async () => {
  const found = [...(await projectsByFile())];
  expect(found.length).toBeGreaterThan(300);
  expect(found.filter(([, names]) => names.filter((name) => name !== repeating).length !== 1)).toEqual([]);
  expect(found.filter(([, names]) => names.includes(repeating)).length).toBeGreaterThan(20);
});
