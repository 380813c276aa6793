import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const dist = join(import.meta.dirname, "../../renderer/dist");

/** Bytes of scripts, without compression, that a browser reads before it shows anything. */
const mostBytes = 900_000;

test("the first page waits for no editor, and for less than 900 kB of scripts", () => {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  const scripts = [...page.matchAll(/(?:href|src)="\.\/(assets\/[\w-]+\.js)"/g)].map(([, path = ""]) => path);
  expect(scripts.length).toBeGreaterThan(2);
  expect(scripts.filter((path) => path.includes("editing"))).toEqual([]);
  expect(scripts.reduce((sum, path) => sum + statSync(join(dist, path)).size, 0)).toBeLessThan(mostBytes);
});
