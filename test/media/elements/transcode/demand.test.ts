import { expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";

const megabytes = (count: number) => count * 1e6;

/** What the one task is planned to take that makes these targets of a 25 fps source of that size. */
const demandOf = (targets: readonly object[], [width, height] = [1920, 1080], pixelFormat = "yuv420p") => {
  const video = {
    ...{ index: 0, codec: "h264", timeBase: ratio(1, 12800), start: ratio(0), duration: ratio(10), width, height },
    ...{ pixelFormat, frameRate: ratio(25), averageFrameRate: ratio(25), frames: 250, pixelAspect: ratio(1) },
    fieldOrder: "progressive",
  };
  const facts: MediaFacts = {
    ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: ratio(0), duration: ratio(10), size: 1000, others: [] },
    ...{ video: [video], audio: [] },
  };
  const element = elementOf("transcode");
  const plan = element?.plan({
    ...{ uid: "tc", job: { id: 1, name: "j" }, factsOf: () => undefined, manifestOf: () => undefined },
    payload: element.payload.parse({ location: { path: "/out" }, targets }),
    inputs: [{ version: "src", files: [{ uri: "file:///in/film.mov", facts }] }],
  });
  if (!plan || "need" in plan) throw new Error("facts are missing");
  return plan.tasks[0]?.demand;
};

const target = (video: object | undefined, name = "x.mp4") => ({ file_pattern: name, video });

test.each([
  ["SD in H.264", target({ codec: "h264", width: 640, height: 360 }), [640, 360], { memory: 256 }],
  ["HD in H.264", target({ codec: "h264" }), [1920, 1080], { memory: 768 }],
  ["HD in ProRes", target({ codec: "prores" }, "x.mov"), [1920, 1080], { memory: 512 }],
  ["4K in H.264", target({ codec: "h264" }), [3840, 2160], { memory: 2560, cores: 4 }],
  ["4K in H.265", target({ codec: "h265" }), [3840, 2160], { memory: 2048, cores: 4 }],
  ["4K made small", target({ codec: "h264", width: 640, height: 360 }), [3840, 2160], { memory: 512 }],
])(
  "%s takes its memory, and more cores than a slot where the picture is big",
  (_what, one, [width = 0, height = 0], wanted) => {
    const { memory, ...cores } = wanted as { memory: number; cores?: number };
    expect(demandOf([one], [width, height])).toEqual({ memory: megabytes(memory), ...cores });
  },
);

test("targets of one task take their memory together, and more bits take more", () => {
  const two = [target({ codec: "h264" }, "a.mp4"), target({ codec: "h264" }, "b.mp4")];
  expect(demandOf(two)).toEqual({ memory: megabytes(1280) });
  const deep = target({ codec: "h264", chroma_format: "yuv420p10le" });
  expect(demandOf([deep])).toEqual({ memory: megabytes(1280) });
});
