import { expect, test } from "vitest";
import { argsOf, refusalOf } from "../../../helpers/media/transcode-words.ts";

const file = (name: string, container: object, more: object = { audio: [{ codec: "pcm" }] }) => ({
  ...{ file_pattern: name, container },
  ...more,
});
const picture = { video: { codec: "h264" } };

/** Tags of the file as ffmpeg gets them. */
const tags = (target: object): string[] => {
  const args = argsOf(target)[0] ?? [];
  return args.flatMap((arg, at) => (arg === "-metadata" ? [args[at + 1] ?? ""] : []));
};

test("attributes of a container become tags of the file", () => {
  const attributes = [{ name: "House-ID", value: "A-7" }];
  expect(tags(file("x.mkv", { title: "T", attributes }, picture))).toEqual(["title=T", "House-ID=A-7"]);
});

test("MP4 gets the tags that it has a place for, and others are refused by name", () => {
  const tagged = (name: string) => file("x.mp4", { attributes: [{ name, value: "v" }] }, picture);
  expect(tags(tagged("Genre"))).toEqual(["genre=v"]);
  expect(refusalOf(tagged("House-ID"))).toMatch(
    /^target\.container\.attributes\[0\]\.name "House-ID" is not implemented: mp4 holds title, artist, /,
  );
});

test("a container without a place for attributes refuses them", () => {
  const attributes = [{ name: "genre", value: "v" }];
  expect(refusalOf(file("x.ts", { attributes }, picture))).toBe(
    'target.container.attributes[0].name "genre" is not implemented: mpegts holds no attributes',
  );
  expect(refusalOf(file("x.mkv", { attributes: [{ name: "a=b", value: "v" }] }, picture))).toBe(
    'target.container.attributes[0].name "a=b" is not a name of letters and digits',
  );
});

test("AIFF calls the author by that name", () => {
  expect(tags(file("x.aiff", { author: "A" }))).toEqual(["author=A"]);
  expect(tags(file("x.wav", { author: "A" }))).toEqual(["artist=A"]);
});
