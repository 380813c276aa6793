import { expect, test } from "vitest";
import { basenameOf, folderUri, joinUri, nameOf, pathToUri, toUri } from "../../../shared/files/location.ts";
import { TaskError } from "../../../shared/model/failure.ts";

test.each([
  ["/media/a b#c?.mov", "file:///media/a%20b%23c%3F.mov"],
  ["C:\\media\\a b.mov", "file:///C:/media/a%20b.mov"],
  ["c:/media/x", "file:///c:/media/x"],
  ["s3://bucket/a b", "s3://bucket/a b"],
  ["file:///a%20b", "file:///a%20b"],
])("%s is the address %s", (text, uri) => {
  expect(toUri(text, "url")).toBe(uri);
});

test.each([
  ["in.mov", 'x.url is neither an absolute path nor an address with a scheme: "in.mov"'],
  ["../in.mov", "x.url is neither"],
  ["/a\0b", "x.url contains a NUL character"],
])("%j is no address", (text, words) => {
  expect(() => toUri(text, "x.url")).toThrow(words);
  expect(() => toUri(text, "x.url")).toThrow(TaskError);
});

test("a folder comes from path, else from url, else from its parent", () => {
  expect(folderUri({ path: "/a", url: "/b" }, "file:///p", "x")).toBe("file:///a");
  expect(folderUri({ url: "s3://b/c" }, "file:///p", "x")).toBe("s3://b/c");
  expect(folderUri({}, "file:///p", "x")).toBe("file:///p");
  expect(folderUri(undefined, "file:///p", "x")).toBe("file:///p");
  expect(() => folderUri(undefined, undefined, "x")).toThrow("x has no path: it says where the files go");
});

test("a relative folder is joined to its parent's", () => {
  const place = { storage_provider: "relative", path: "sub dir//deep/" };
  expect(folderUri(place, "file:///p/", "x")).toBe("file:///p/sub%20dir/deep");
  expect(folderUri(place, "s3://b/k", "x")).toBe("s3://b/k/sub dir/deep");
  expect(() => folderUri(place, undefined, "x")).toThrow("x is relative, but has no parent location");
});

test("names are encoded where the folder's address is", () => {
  expect(joinUri("file:///a/", "b c/d%.mov")).toBe("file:///a/b%20c%2Fd%25.mov");
  expect(joinUri("s3://b/k", "b c.mov")).toBe("s3://b/k/b c.mov");
  expect(joinUri("http://h/k", "b c\\d\n#.mov ")).toBe("http://h/k/b c%5Cd%0A%23.mov%20");
  expect(pathToUri("/", "posix")).toBe("file:///");
});

test.each([
  ["file:///a/b%20c.mov", "b c.mov"],
  ["s3://b/take#1 who?.mov", "take#1 who?.mov"],
  ["swift://c/100%25.mov", "100%25.mov"],
  ["https://h/k.mov?version=1#x", "k.mov"],
  ["file:///a/folder/", "folder"],
  ["s3://b/100%.mov", "100%.mov"],
  ["file:///a/b%2520c", "b%20c"],
])("the name of %s is %s", (uri, name) => {
  expect(nameOf(uri)).toBe(name);
});

test.each([
  ["a.b.mov", "a.b"],
  [".hidden", ".hidden"],
  ["archive", "archive"],
  ["trailing.", "trailing"],
])("%s without its extension is %s", (name, base) => {
  expect(basenameOf(name)).toBe(base);
});
