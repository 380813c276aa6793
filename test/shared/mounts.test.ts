import { describe, expect, test } from "vitest";
import { TaskError } from "../../shared/causes.ts";
import { resolveUri } from "../../shared/mounts.ts";

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
    expect(() => posix(uri)).toThrow(/climbs out of its folder/);
    expect(() => posix(uri)).toThrow(TaskError);
  });

  test.each(["file:///C:/media/..%5c..%5csecret", "file:///C:/a%5cb", "s3://bucket/..%5cx", "s3://bucket/a\\b"])(
    "on Windows: %s",
    (uri) => {
      expect(() => windows(uri)).toThrow(/climbs out of its folder/);
    },
  );
});

test.each([
  ["s3://other/x", 's3://other/x: storage "s3" is not implemented and no mount of this node covers it'],
  ["s3://bucketful/x", 'storage "s3" is not implemented'],
  ["file://server/share/x", "a file on another host can only be reached through a mount"],
])("%s without a mount is refused in words", (uri, words) => {
  expect(() => posix(uri)).toThrow(words);
});

test.each(["file:///media/x", "file:///C:x"])("on Windows, %s has no drive", (uri) => {
  expect(() => windows(uri)).toThrow("has no drive letter");
});
