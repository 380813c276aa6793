import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fetching, fetchOutput } from "../../../cli/jobs/fetch-output.ts";
import { matcherOf, placeIn, relativeNames } from "../../../cli/jobs/output-names.ts";
import type { JobOutput } from "../../../shared/api/job-outputs.ts";
import { createHurriedClock } from "../../helpers/clock.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
beforeEach(() => {
  folder = aFolder();
});
afterEach(() => removeFolder(folder));

const bytes = "0123456789";
const checksum = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const output: JobOutput = {
  ...{ uri: "file:///out/film.mp4", size: 10, modified: "2026-11-01T10:00:00.000Z", checksum },
  ...{ element_uid: "t", task_id: "7", position: 0, version: "v", facts: null, summary: "" },
};

/** A farm that sends these pieces for each request, and breaks the connection off behind the last but one. */
const fetchingFrom = (answers: string[][], seen: number[] = []): Fetching => ({
  client: {
    openOutput: async (_place, { from = 0 } = {}) => {
      seen.push(from);
      const pieces = answers.shift() ?? [];
      const isLast = answers.length === 0;
      const body = new ReadableStream<Uint8Array>({
        start: (sending) => {
          for (const piece of pieces) sending.enqueue(new TextEncoder().encode(piece));
          if (isLast) sending.close();
        },
        pull: (sending) => sending.error(new TypeError("terminated")),
      });
      return { from, body, tag: '"tag"' };
    },
  },
  clock: createHurriedClock(1000),
  signal: new AbortController().signal,
  mayReplace: false,
  onBytes: () => undefined,
});
const place = () => join(folder, "sub/film.mp4");

test("a file that breaks off is fetched from where it ended, and gets its name when its bytes are right", async () => {
  const from: number[] = [];
  expect(await fetchOutput(output, place(), fetchingFrom([["0123"], ["45", "678"], ["9"]], from))).toBe("fetched");
  expect(from).toEqual([0, 4, 9]);
  expect(readFileSync(place(), "utf8")).toBe(bytes);
  expect(statSync(place()).mtimeMs).toBe(Date.parse(output.modified ?? ""));
  expect(readdirSync(join(folder, "sub"))).toEqual(["film.mp4"]);
});

test("another command goes on with what an earlier one left, and none fetches what is here", async () => {
  const broken = fetchingFrom([["0123"], [], [], [], [], [], []]);
  await expect(fetchOutput(output, place(), broken)).rejects.toThrow("terminated");
  expect(existsSync(place())).toBe(false);
  const from: number[] = [];
  expect(await fetchOutput(output, place(), fetchingFrom([["456789"]], from))).toBe("resumed");
  expect(from).toEqual([4]);
  expect(await fetchOutput(output, place(), fetchingFrom([["another"]]))).toBe("already here");
  expect(readFileSync(place(), "utf8")).toBe(bytes);
});

test("bytes that are not those that were made get no name, and the next try begins anew", async () => {
  await expect(fetchOutput(output, place(), fetchingFrom([["012345678X"]]))).rejects.toThrow(/not what the job made/);
  expect(readdirSync(join(folder, "sub"))).toEqual([]);
  expect(await fetchOutput(output, place(), fetchingFrom([[bytes]]))).toBe("fetched");
});

test("another file with the name stays, unless it may be replaced", async () => {
  const at = join(folder, "film.mp4");
  writeFileSync(at, "mine");
  await expect(fetchOutput(output, at, fetchingFrom([[bytes]]))).rejects.toThrow(`${at} is another file`);
  expect(readFileSync(at, "utf8")).toBe("mine");
  expect(await fetchOutput(output, at, { ...fetchingFrom([[bytes]]), mayReplace: true })).toBe("fetched");
  expect(readFileSync(at, "utf8")).toBe(bytes);
});

test("a link in the place of a file's part is not followed: others may write to the folder", async () => {
  const [at, precious] = [join(folder, "film.mp4"), join(folder, "precious")];
  writeFileSync(precious, "mine");
  await expect(fetchOutput(output, at, fetchingFrom([["0123"]]))).rejects.toThrow();
  const [part = ""] = readdirSync(folder).filter((name) => name.endsWith(".part"));
  rmSync(join(folder, part));
  symlinkSync(precious, join(folder, part));
  await expect(fetchOutput(output, at, fetchingFrom([[bytes]]))).rejects.toThrow(/ELOOP/);
  expect(readFileSync(precious, "utf8")).toBe("mine");
});

test("names are those below the folder that all files share, and stay below the chosen one", () => {
  const uris = ["file:///o/hls/a%20b/1.ts", "file:///o/hls/a%20b/2.ts", "file:///o/hls/main.m3u8"];
  expect([...relativeNames(uris).values()]).toEqual(["a b/1.ts", "a b/2.ts", "main.m3u8"]);
  expect([...relativeNames(["s3://b/k/film.mp4"]).values()]).toEqual(["film.mp4"]);
  expect([...relativeNames(["file:///o/a", "file:///o/a/b"]).values()]).toEqual(["a", "a/b"]);
  expect(placeIn("/to", "a/b.ts")).toBe(join("/to", "a/b.ts"));
  for (const bad of ["../b", "a/../../b", "/etc/passwd", "a/..\\b", "a\nb", "", "c:evil", "a//b"])
    expect(() => placeIn("/to", bad), bad).toThrow("No file here can be called");
});

test.each([
  ["*.mp4", "sub/film.mp4", true],
  ["sub/*.mp4", "sub/film.mp4", true],
  ["sub/*", "sub/a/film.mp4", false],
  ["**", "sub/a/film.mp4", true],
  ["film.m?4", "film.mp4", true],
  ["film(1).mp4", "film(1).mp4", true],
  ["*.mp4", "film.mov", false],
])("the pattern %s and %s: %s", (pattern, name, isMatch) => {
  expect(matcherOf(pattern)(name)).toBe(isMatch);
});
