import { expect, test } from "vitest";
import { assetsOfGroups } from "../../../coordinator/planning/processing-groups.ts";

const asset = (version: string) => ({ version, files: [] });
const transcode = {
  payload: { targets: [{ uid: "hd", processing_group_ids: ["tv", "web"] }, { processing_group_ids: ["web"] }, {}] },
  assets: ["hd", "target_1", "target_2"].map(asset),
};
const source = { payload: {}, assets: [asset("src")] };
const chosen = (...groups: string[]) =>
  assetsOfGroups([source, transcode], groups, "pack").map(({ version }) => version);

test("a later element takes the targets that belong to one of its groups", () => {
  expect(chosen("web")).toEqual(["hd", "target_1"]);
  expect(chosen("tv", "none")).toEqual(["hd"]);
});

test("without groups it takes all that comes in", () => {
  expect(chosen()).toEqual(["src", "hd", "target_1", "target_2"]);
});

test("groups that nothing belongs to are a mistake of the job", () => {
  expect(() => chosen("cinema", "radio")).toThrow(
    "pack.task.extended.start_payload_filter.processing_group_ids: no input belongs to cinema or radio",
  );
});
