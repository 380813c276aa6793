import { describe, expect, test } from "vitest";
import { openTestDoors } from "../../helpers/farm/doors.ts";
import { aConnection, aJob, aProfile, aSource, enrol } from "../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const doors = aWorldPerTest({ open: openTestDoors, close: ({ close }) => close() });

const job = () =>
  aJob({
    payload: {
      elements: [
        aSource(),
        {
          uid: "t",
          kind: "transcode",
          payload: {
            location: { storage_provider: "s3", path: "s3://bucket/out" },
            targets: [
              {
                file_pattern: "a.mp4",
                container: { kind: "mp4" },
                video: { codec: "h264", width: 320, height: 180, widht: 640 },
              },
            ],
          },
        },
      ],
      connections: [aConnection("src", ["t"])],
    },
  });

const submit = async (body: object = job()) => {
  const headers = await doors().enterAsProgram();
  return (await doors().inject({ method: "POST", url: "/v1/jobs", headers, payload: body })).body;
};
const enrolled = (capabilities: string[], mounts: { prefix: string; folder: string }[] = []) =>
  enrol(doors().farm, aProfile({ mounts, tools: { ffmpeg: null, ffprobe: null, capabilities } }));

const at = "payload.elements[1].payload";
const slip = `${at}.targets[0].video.widht is not known and has no effect; did you mean width?`;

describe("the answer to a submission tells", () => {
  test("of fields that nobody knows, and which were meant", async () => {
    expect(await submit()).toEqual({ id: "1", warnings: [slip] });
  });

  test("of encoders, muxers and storage that no node of the farm provides now", async () => {
    await enrolled(["ffmpeg", "muxer:mov"]);
    expect((await submit()).warnings).toEqual([
      slip,
      `${at}.location.storage_provider: no node of the farm provides storage:s3 now`,
      `${at}.targets[0].container.kind: no node of the farm provides muxer:mp4 now`,
      `${at}.targets[0].video.codec: no node of the farm provides encoder:libx264 now`,
    ]);
  });

  test("of nothing that one node or another has, or a mount stands for", async () => {
    await enrolled(["encoder:libx264"], [{ prefix: "s3://bucket", folder: "/mnt/bucket" }]);
    await enrolled(["muxer:mp4"]);
    expect((await submit()).warnings).toEqual([slip]);
  });

  test("of tags that no node provides, and which were meant", async () => {
    await enrol(doors().farm, aProfile({ tags: ["gpu", "fast-disk"] }));
    const { warnings } = await submit({ ...aJob(), task_tags: ["gpu", "fast_disk", "tape"] });
    expect(warnings).toEqual([
      'task_tags: no node of the farm provides the tag "fast_disk": did you mean "fast-disk"?',
      'task_tags: no node of the farm provides the tag "tape"',
    ]);
  });

  test("of a kind that this version does not perform", async () => {
    const kinds = ["folder_enum", "dolby_vision"];
    const bodies = kinds.map((kind) => aJob({ payload: { elements: [{ uid: "x", kind, payload: {} }] } }));
    const answers = await Promise.all(bodies.map(submit));
    const told = answers.flatMap(({ warnings = [] }) => warnings.filter((each: string) => each.startsWith("x: ")));
    expect(told.every((each: string) => each.includes("the element will fail"))).toBe(true);
  });

  test("of nothing where there is nothing to tell", async () => {
    expect(await submit(aJob())).toEqual({ id: "1" });
  });
});
