import { expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { Asset, MediaFacts } from "../../../../shared/model/asset.ts";

const facts: MediaFacts = {
  ...{ format: "mov,mp4", start: ratio(0), duration: ratio(2), size: 1, others: [] },
  video: [
    {
      ...{
        index: 0,
        codec: "h264",
        timeBase: ratio(1, 12_800),
        start: ratio(0),
        duration: ratio(2),
        width: 640,
        height: 360,
      },
      ...{ pixelFormat: "yuv420p", frameRate: ratio(25), averageFrameRate: ratio(25), fieldOrder: "progressive" },
    },
  ],
  audio: [
    {
      index: 1,
      codec: "aac",
      timeBase: ratio(1, 48_000),
      start: ratio(0),
      duration: ratio(2),
      channels: 2,
      sampleRate: 48_000,
      layout: "stereo",
    },
  ],
};

test("black before a film is one graph: every share conformed, counted and put in a row", () => {
  const asset: Asset = {
    version: "source",
    files: [{ uri: "file:///a/film.mov", facts }],
    sections: [
      {
        parts: [
          {
            generated: { video: { width: 640, height: 360, rate: ratio(24), color: "black" }, audio: [] },
            range: { from: ratio(0), to: ratio(1) },
          },
        ],
      },
      { parts: [{ file: 0 }] },
    ],
  };
  const transcode = elementOf("transcode");
  const target = { file_pattern: "out.mp4", video: { codec: "h264" }, audio: [{ codec: "aac" }] };
  const payload = transcode?.payload.parse({ location: { path: "/out" }, targets: [target] });
  const context = { uid: "t", payload, job: { id: 1, name: "j" }, inputs: [asset], factsOf: () => undefined };
  const plan = transcode?.plan(context);
  const [task] = plan && "tasks" in plan ? plan.tasks : [];
  const [step] = (task && transcode?.compile(task, context).steps) ?? [];
  const argv = step?.do === "ffmpeg" ? step.argv : [];
  const graph = String(argv[argv.indexOf("-filter_complex") + 1]).split(";");
  const like = "setsar=sar=1,format=pix_fmts=yuv420p,tpad=stop_mode=clone:stop=13";
  const heard = "aresample=async=1:first_pts=0:osr=48000,aformat=sample_rates=48000:channel_layouts=stereo";
  expect(graph.slice(0, 2)).toEqual([
    `color=c=black:s=640x360:r=24:d=1,fps=fps=25:start_time=0,${like},trim=end_frame=25,settb=expr=1/25[seen_0]`,
    `[0:0]fps=fps=25:start_time=0,${like},trim=end_frame=50,settb=expr=1/25[seen_1]`,
  ]);
  expect(graph[2]).toMatch(/^\[seen_0\]\[seen_1\]concat=n=2:v=1:a=0,setpts=expr=N\/\(25\)\/TB,fps=fps=25,/);
  expect(graph.slice(3, 5)).toEqual([
    `anullsrc=channel_layout=stereo:sample_rate=48000:d=1,${heard},apad=whole_len=48000,atrim=end_sample=48000[heard0_0]`,
    `[0:1]${heard},apad=whole_len=96000,atrim=end_sample=96000[heard0_1]`,
  ]);
  expect(graph[5]).toMatch(/^\[heard0_0\]\[heard0_1\]concat=n=2:v=0:a=1,/);
});
