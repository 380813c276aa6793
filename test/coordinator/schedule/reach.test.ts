import { expect, test } from "vitest";
import { prefixesOf, reaches, reachNeeds } from "../../../coordinator/schedule/reach.ts";

const folder = (folder: string) => ({
  o: { version: "v", folder, name: "o.mov", isSequence: false, existing: "fail" as const },
});
const work = (...uris: readonly string[]) => ({
  assets: Object.fromEntries(uris.map((uri, index) => [index, { uri }])),
  outputs: {},
  steps: [],
});

test("work needs a node that speaks its kinds of remote storage, except for what a mount covers", () => {
  const capabilities = new Set(["storage:s3", "storage:sftp", "storage:file"]);
  const whole = { ...work("sftp://host/in/a.mov", "s3://mounted/c.mov"), outputs: folder("s3://bucket/out") };
  expect(reachNeeds(whole, { prefixes: new Set(["s3://mounted"]), capabilities })).toEqual([
    ...["storage:sftp", "reach:s3://mounted", "storage:s3"],
  ]);
});

test("what no node declares is required of none", () => {
  const needs = reachNeeds(work("sftp://host/a", "s3://bucket/b", "file:///in/c"), {
    ...{ prefixes: new Set(["file:///media"]), capabilities: new Set(["storage:sftp"]) },
  });
  expect(needs).toEqual(["storage:sftp"]);
});

test("files need the longest prefix that a node declares for them: many files make one need", () => {
  const prefixes = new Set(["file:///media", "file:///media/films", "file:///out"]);
  const needs = reachNeeds(
    work("file:///media/a", "file:///media/films/b%20c", "file:///media//films/d", "file:///media/filmstrip"),
    { prefixes, capabilities: new Set() },
  );
  expect(needs).toEqual(["reach:file:///media", "reach:file:///media/films"]);
});

test("a path that climbs needs nothing: only a node knows where it leads", () => {
  expect(
    reachNeeds(work("file:///media/../etc/a"), { prefixes: new Set(["file:///media"]), capabilities: new Set() }),
  ).toEqual([]);
});

test("a node reaches what its roots, its mounts and the farm's mounts cover, and their folders", () => {
  const mounts = [{ prefix: "s3://own", folder: "/mnt/own" }];
  const farm = [
    { prefix: "s3://farm/", folders: { posix: "/mnt/farm" } },
    { prefix: "s3://other", folders: { win32: "Z:\\other" } },
  ];
  const posix = prefixesOf({ roots: ["/my media/"], mounts, platform: "posix" }, farm);
  expect([...posix].sort()).toEqual(
    ["file:///mnt/farm", "file:///mnt/own", "file:///my media", "s3://farm", "s3://own"].sort(),
  );
  const windows = prefixesOf({ roots: ["C:\\Media"], mounts: [], platform: "win32" }, farm);
  expect([...windows].sort()).toEqual(["file:///c:/media", "file:///z:/other", "s3://other"]);
  expect(reachNeeds(work("file:///C:/MEDIA/a.mov"), { prefixes: windows, capabilities: new Set() })).toEqual([
    "reach:file:///c:/media",
  ]);
});

test("a node with a wider root, or that speaks the storage itself, reaches a prefix too", () => {
  const capabilities = new Set(["storage:s3"]);
  const may = (prefix: string) => reaches(prefix, { prefixes: new Set(["file:///media"]), capabilities });
  expect(["file:///media", "file:///media/films", "file:///med", "s3://mounted", "sftp://host"].map(may)).toEqual([
    ...[true, true, false, true, false],
  ]);
});
