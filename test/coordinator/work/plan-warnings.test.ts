import { expect, test } from "vitest";
import { usePlanning } from "../../helpers/planning.ts";

const { planned } = usePlanning();

test("what a plan warns of is a warning of its job, once", async () => {
  const video = { codec: "h264", overrides: { bitrate_kb: "source.video[3].bitrate_kb", height: "nothing" } };
  const target = { location: { path: "/out" }, container: { kind: "mp4" }, video };
  const { failures, warnings } = await planned("transcode", { targets: [target] });
  const at = "tc.payload.targets[0].video.overrides";
  expect(failures).toEqual([]);
  expect(warnings).toEqual([
    `${at}.bitrate_kb is ignored: source.video[3].bitrate_kb has no value here`,
    `${at}.height is ignored: nothing has no value here`,
  ]);
});
