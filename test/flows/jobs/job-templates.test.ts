import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildJob, initialValues, jobTemplates } from "../../../media/job-templates/index.ts";
import type { TemplateValues } from "../../../media/job-templates/job-template.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { startFarm } from "../../helpers/processes/farm-processes.ts";

const mediaInfo = ["/usr/bin/mediainfo"].find((path) => existsSync(path));
const clip = [
  ...["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=6", "-f", "lavfi", "-i", "sine=duration=6:r=48000"],
  ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac", "-ac", "2"],
];

/** What each template has to leave behind: names that end so, and how many. */
const wanted: Readonly<
  Record<string, { readonly values?: TemplateValues; readonly files: Readonly<Record<string, number>> }>
> = {
  "review-proxy": { values: { height: "360" }, files: { "_proxy.mp4": 1 } },
  "web-ladder": { values: { top: "360" }, files: { ".m3u8": 4, ".mpd": 1 } },
  "prores-mezzanine": { files: { "_prores.mov": 1 } },
  "loudness-fix": { files: { "_loudness.mov": 1 } },
  thumbnails: { values: { count: 4, width: 160 }, files: { ".jpg": 4 } },
  "dnx-mezzanine": { files: { "_dnx.mxf": 1 } },
  "xdcam-hd422": { values: { frames: "25p" }, files: { "_xdcam.mxf": 1 } },
  podcast: { files: { "_podcast.mp3": 1 } },
  archive: { files: { "_archive.mxf": 1 } },
  checks: { files: { ".pdf": 1 } },
  copy: { files: { "clip.mp4": 1 } },
};

/** What a second reader, of another make, has to say of the files of some templates. */
const said: Readonly<Record<string, string>> = {
  "_dnx.mxf": "MXF 1 1 / VC-3 640x360 / PCM",
  "_xdcam.mxf": "MXF 1 1 / MPEG Video 1920x1080 / PCM",
  "_podcast.mp3": "MPEG Audio  1 /  / MPEG Audio",
  "_archive.mxf": "MXF 1 1 / JPEG 2000 640x360 / PCM",
};

/** What a second reader, of another make, says of a file. */
const secondReader = (path: string): string =>
  mediaInfo === undefined
    ? ""
    : ["General;%Format% %VideoCount% %AudioCount%", "Video;%Format% %Width%x%Height%", "Audio;%Format%"]
        .map((form) =>
          execFileSync(mediaInfo, [`--Inform=${form}`, path])
            .toString()
            .trim(),
        )
        .join(" / ");

/** Films are films, pictures pictures, and some files just what their template says. */
const readAgain = (paths: readonly string[]): void => {
  for (const path of mediaInfo ? paths.filter((each) => /\.(?:mp4|mov)$/.test(each)) : [])
    expect([path, secondReader(path)]).toEqual([path, expect.stringMatching(/MPEG-4/)]);
  for (const [end, words] of mediaInfo ? Object.entries(said) : [])
    for (const path of paths.filter((each) => each.endsWith(end)))
      expect([end, secondReader(path)]).toEqual([end, words]);
  for (const path of paths.filter((each) => each.endsWith(".jpg")))
    expect(readFileSync(path).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
};

describe.skipIf(ffmpegPath === undefined)("every template", { timeout: 300_000 }, () => {
  test("makes from a film what it says, on a real farm", async () => {
    await using farm = await startFarm();
    const source = await make(join(farm.media, "clip.mp4"), ...clip);
    await farm.startAgent();
    const made: Record<string, unknown> = {};
    for (const template of jobTemplates) {
      const values = { ...initialValues(template), ...wanted[template.id]?.values };
      const job = buildJob({ template, values, source, folder: join(farm.folder, template.id), priority: 100 });
      const id = await farm.submit(job as Parameters<typeof farm.submit>[0]); // a job template's job is read by the route
      const { status, error } = await farm.untilEnded(id);
      const { items } = await farm.client.listOutputs({ job_id: id, take: 1000 });
      const names = items.map(({ uri }) => uri);
      const ends = Object.keys(wanted[template.id]?.files ?? {});
      made[template.id] = {
        ...{ status, error },
        files: Object.fromEntries(ends.map((end) => [end, names.filter((name) => name.endsWith(end)).length])),
      };
      readAgain(names.map((name) => name.replace(/^file:\/\//, "")));
    }
    expect(made).toEqual(
      Object.fromEntries(
        jobTemplates.map(({ id }) => [id, { status: "completed", error: null, files: wanted[id]?.files ?? {} }]),
      ),
    );
  });
});
