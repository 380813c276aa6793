import { describe, expect, test } from "vitest";
import { farmMount, mergeMounts, normalPrefix, resolveUri, splitMount } from "../../../shared/files/mounts.ts";
import { TaskError } from "../../../shared/model/failure.ts";

const mounts = [
  { prefix: "s3://bucket", folder: "/mnt/bucket" },
  { prefix: "s3://bucket/deep/", folder: "/mnt/deep/" },
  { prefix: "file:///projects", folder: "/mnt/projects" },
  { prefix: "s3://whole/", folder: "/" },
];
const winMounts = [{ prefix: "s3://bucket", folder: "D:\\media\\" }];

const posix = (uri: string) => resolveUri(uri, mounts, "posix");
const windows = (uri: string) => resolveUri(uri, winMounts, "win32");

test.each([
  ["a mount's prefix becomes its folder", "s3://bucket/a/b.mov", "/mnt/bucket/a/b.mov"],
  ["the longest prefix wins", "s3://bucket/deep/b.mov", "/mnt/deep/b.mov"],
  ["a prefix ends at a slash", "s3://bucket/deeper/b.mov", "/mnt/bucket/deeper/b.mov"],
  ["the prefix itself is the folder", "s3://bucket", "/mnt/bucket"],
  ["a mount of everything keeps its root", "s3://whole", "/"],
  ["a mount of everything leads below its root", "s3://whole/a", "/a"],
  ["two slashes count as one", "s3://bucket//deep///b.mov", "/mnt/deep/b.mov"],
  ["what is encoded is decoded once", "s3://bucket/a%20b%2520c.mov", "/mnt/bucket/a b%20c.mov"],
  ["a lone percent sign is a character", "s3://bucket/100%/a%20b", "/mnt/bucket/100%/a b"],
  ["local files can be mounted elsewhere", "file:///projects/x", "/mnt/projects/x"],
  ["a local file is its path", "file:///media/a%20b.mov", "/media/a b.mov"],
  ["a lone percent sign in a local path leaves the other parts decoded", "file:///a%20b/100%", "/a b/100%"],
  ["localhost is this host", "file://localhost/media/x", "/media/x"],
  ["a backslash is a character of a name", "file:///media/a%5Cb", "/media/a\\b"],
])("%s", (_, uri, path) => {
  expect(posix(uri)).toBe(path);
});

test.each([
  ["a drive's file has backslashes", "file:///C:/media/a%20b.mov", "C:\\media\\a b.mov"],
  ["an encoded colon is one", "file:///c%3A/media", "c:\\media"],
  ["a drive alone is its root", "file:///C:", "C:\\"],
  ["a mount leads below its folder", "s3://bucket/a/b", "D:\\media\\a\\b"],
])("on Windows, %s", (_, uri, path) => {
  expect(windows(uri)).toBe(path);
});

describe("what climbs or hides a separator is refused", () => {
  test.each([
    "s3://bucket/../x",
    "s3://bucket/%2e%2e/x",
    "s3://bucket/%2E./x",
    "s3://bucket/a%2fb",
    "s3://bucket/..%2f..%2fetc",
    "s3://bucket/a%00",
    "file:///media/../etc/passwd",
    "file:///media/%2e%2e/etc",
    "file:///media/..%2fetc",
    "file:///media/a%2Fb",
    "file:///media/a%00.mov",
  ])("%s", (uri) => {
    expect(() => posix(uri)).toThrow(/leaves its folder/);
    expect(() => posix(uri)).toThrow(TaskError);
  });

  test.each(["file:///C:/media/..%5c..%5csecret", "file:///C:/a%5cb", "s3://bucket/..%5cx", "s3://bucket/a\\b"])(
    "on Windows: %s",
    (uri) => {
      expect(() => windows(uri)).toThrow(/leaves its folder/);
    },
  );
});

test.each([
  ["s3://other/x", "s3://other/x: no mount of this node covers it; start the agent with --mount s3://other=FOLDER"],
  ["film.mov", "film.mov: is neither an absolute path nor an address with a scheme"],
  ["gs://bucket/x", 'gs://bucket/x: storage "gs" is not implemented and no mount of this node covers it'],
  ["gs://who:secret@bucket/x?y", "start the agent with --mount gs://bucket=FOLDER"],
  ["s3://bucketful/x", "no mount of this node covers it"],
  ["file://server/share/x", "a file on another host can only be reached through a mount"],
])("%s without a mount is refused in words", (uri, words) => {
  expect(() => posix(uri)).toThrow(words);
});

test.each(["file:///media/x", "file:///C:x"])("on Windows, %s has no drive", (uri) => {
  expect(() => windows(uri)).toThrow("has no drive letter");
});

const farm = [
  { prefix: "s3://both", folders: { posix: "/mnt/both", win32: "Z:\\both" } },
  { prefix: "s3://posix", folders: { posix: "/mnt/posix" } },
  { prefix: "s3://share/", folders: { win32: "\\\\server\\share" } },
];

describe("the farm's mounts on a node", () => {
  test("each kind of node gets its own folders, none where there is none for it", () => {
    expect(mergeMounts([], farm, "posix").map(({ folder }) => folder)).toEqual(["/mnt/both", "/mnt/posix"]);
    expect(mergeMounts([], farm, "win32").map(({ folder }) => folder)).toEqual(["Z:\\both", "\\\\server\\share"]);
  });

  test("the node's own mount of the same prefix wins, however it is spelled", () => {
    const own = [{ prefix: "s3://both//", folder: "/mine" }];
    expect(resolveUri("s3://both/a.mov", mergeMounts(own, farm, "posix"), "posix")).toBe("/mine/a.mov");
    expect(resolveUri("s3://posix/a.mov", mergeMounts(own, farm, "posix"), "posix")).toBe("/mnt/posix/a.mov");
  });

  test("a node's own longer prefix wins over a shorter one of the farm, and the other way round", () => {
    const deep = mergeMounts([{ prefix: "s3://both/deep", folder: "/deep" }], farm, "posix");
    expect(resolveUri("s3://both/deep/a", deep, "posix")).toBe("/deep/a");
    const shallow = mergeMounts([{ prefix: "s3://", folder: "/all" }], farm, "posix");
    expect(resolveUri("s3://both/a", shallow, "posix")).toBe("/mnt/both/a");
    expect(resolveUri("s3://other/a", shallow, "posix")).toBe("/all/other/a");
  });

  test("a Windows share keeps its two backslashes", () => {
    const mounts = mergeMounts([], farm, "win32");
    expect(resolveUri("s3://share//a%20b/c.mov", mounts, "win32")).toBe("\\\\server\\share\\a b\\c.mov");
  });
});

test.each([
  ["s3://bucket/", "s3://bucket"],
  ["s3://bucket//a//", "s3://bucket/a"],
  ["s3://", "s3://"],
])("the prefix %s is %s", (prefix, normal) => {
  expect(normalPrefix(prefix)).toBe(normal);
  expect(normalPrefix(normal)).toBe(normal);
});

test.each([
  ["s3://b=/mnt/b", { prefix: "s3://b", folder: "/mnt/b" }],
  ["s3://b/key=1=/mnt/b", { prefix: "s3://b/key=1", folder: "/mnt/b" }],
  ["s3://b=Z:\\b", { prefix: "s3://b", folder: "Z:\\b" }],
  ["s3://b", undefined],
  ["=/mnt/b", undefined],
  ["s3://b=", undefined],
])("%s is split at its last =", (text, mount) => {
  expect(splitMount(text)).toEqual(mount);
});

test.each([
  [true, { posix: "/mnt/b" }],
  [true, { win32: "Z:\\" }],
  [true, { win32: "z:/b" }],
  [true, { win32: "\\\\server\\share" }],
  [false, {}],
  [false, { posix: "/" }],
  [false, { posix: "//" }],
  [false, { posix: "mnt/b" }],
  [false, { posix: "Z:\\b" }],
  [false, { win32: "b" }],
  [false, { win32: "Z:b" }],
  [false, { win32: "\\\\server" }],
])("taken as a mount of the farm (%s): %j", (isTaken, folders) => {
  expect(farmMount.safeParse({ prefix: "s3://b", folders }).success).toBe(isTaken);
});
