import { expect, test } from "vitest";
import { referenceUri } from "../../../shared/work/manifest.ts";

test.each([
  ["https://a.example/film/index.m3u8", "1.ts", "https://a.example/film/1.ts"],
  ["https://a.example/film/index.m3u8", "https://a.example/other/1.ts", "https://a.example/other/1.ts"],
  ["s3://bucket/film/index.m3u8", "/1.ts?x=1#y", "s3://bucket/1.ts"],
  ["file:///media/film/index.m3u8", "../1.ts", "file:///media/1.ts"],
  ["ftp://user:word@a.example/index.mpd", "1.ts", "ftp://user:word@a.example/1.ts"],
])("%s may refer to %s", (base, reference, uri) => {
  expect(referenceUri(base, reference)).toBe(uri);
});

test.each([
  ["https://a.example/index.m3u8", "file:///media/secret.mov"],
  ["https://a.example/index.m3u8", "https://b.example/1.ts"],
  ["https://a.example/index.m3u8", "//10.0.0.1/1.ts"],
  ["https://a.example/index.m3u8", "https://a.example:8443/1.ts"],
  ["https://a.example/index.m3u8", "http://a.example/1.ts"],
  ["https://a.example/index.m3u8", "https://user:word@a.example/1.ts"],
  ["https://a.example/index.m3u8", "s3://bucket/1.ts"],
  ["s3://bucket/index.mpd", "s3://other/1.ts"],
  ["s3://bucket/index.mpd", "//other/1.ts"],
  ["file:///media/index.m3u8", "https://a.example/1.ts"],
  ["file:///media/index.m3u8", "//server/share/1.ts"],
])("%s may not refer to %s", (base, reference) => {
  expect(() => referenceUri(base, reference)).toThrow("on another storage");
});
