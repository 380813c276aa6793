import { expect, test } from "vitest";
import { versionsOf } from "../../../../media/elements/source/components.ts";
import { sourcePayload } from "../../../../media/elements/source/schema.ts";

const kinds = [
  { kind: "name", name: "a.mov" },
  { kind: "image_sequence", image_sequence: { base: "a_%04d.png" } },
  { kind: "name", name: "a.srt", contents: [{ kind: "subtitle" }] },
];

const urisOf = (places: { element?: string; payload?: string; version?: string; component?: string }) => {
  const at = (path: string | undefined) => (path === undefined ? {} : { location: { path } });
  const parsed = sourcePayload.parse({
    kind: "asset_complex",
    ...at(places.element),
    payload: {
      kind: "sequence",
      ...at(places.payload),
      asset_versions: [
        { ...at(places.version), asset_components: kinds.map((each) => ({ ...each, ...at(places.component) })) },
      ],
    },
  });
  return versionsOf(parsed, "src").versions.flatMap(({ components }) => components.map(({ uri }) => uri));
};

test.each([
  ["element", { element: "/e" }, "/e"],
  ["payload", { element: "/e", payload: "/p" }, "/p"],
  ["version", { element: "/e", payload: "/p", version: "/v" }, "/v"],
  ["component", { element: "/e", payload: "/p", version: "/v", component: "/c" }, "/c"],
])("a component of any kind lies where its %s says if nothing nearer does", (_name, places, folder) => {
  expect(urisOf(places)).toEqual(
    ["a.mov", "a_%04d.png", "a.srt"].map((name) =>
      `file://${folder}/${name}`.replace("%04d", encodeURIComponent("%04d")),
    ),
  );
});

test("places may be relative to the one around them", () => {
  const parsed = sourcePayload.parse({
    kind: "asset_complex",
    location: { path: "/e" },
    payload: {
      location: { storage_provider: "relative", path: "p" },
      asset_versions: [
        { location: { storage_provider: "relative", path: "v" }, asset_components: [{ name: "a.mov" }] },
      ],
    },
  });
  expect(versionsOf(parsed, "src").versions[0]?.components[0]?.uri).toBe("file:///e/p/v/a.mov");
});
