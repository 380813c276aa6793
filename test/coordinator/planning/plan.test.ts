import { expect, test } from "vitest";
import { usePlanning } from "../../helpers/farm/planning.ts";

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

test("what a node could not be sent fails its element with the field and the limit, before any node hears of it", async () => {
  const blur = Array(100).fill({ kind: "gaussian_blur", payload: { radius: 1.5 } });
  const targets = Array.from({ length: 55 }, (_, nr) => ({
    ...{ location: { path: "/out" }, file_pattern: `${nr}.mp4`, container: { kind: "mp4" } },
    video: { codec: "h264", width: 2 * nr + 16, height: 32, filters: "{{blur}}" },
  }));
  const { failures } = await planned("transcode", { targets }, {}, { blur });
  expect(failures).toEqual([
    {
      cause: "definition",
      message: expect.stringMatching(
        /^"a job - tc" asks for more than a node can be sent: work\.steps\[0\]\.argv\[\d+\] must have at most 120000 characters, not a text of \d+ characters$/,
      ),
    },
  ]);
});
