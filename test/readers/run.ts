import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { randomFrom } from "../helpers/random/random.ts";
import { type SampleFarm, startSampleFarm, untilEnded } from "../samples/farm.ts";
import { differences, isWarnedOf, type Read } from "./compare.ts";
import { type Drawn, draw } from "./draw.ts";
import { isUnread, ReaderCrashed, readPictures, readSound } from "./gstreamer.ts";
import { makeMaterials } from "./material.ts";
import { tell } from "./media-info.ts";
import { headerDifferences, readHeaders } from "./more-headers.ts";

/**
 * node test/readers/run.ts [--jobs N] [--seed N] [--only NR,…] [--keep FOLDER] [--json FILE]
 *
 * Draws jobs from a seed, runs them on a farm, and reads each output by programs that the farm does not use: GStreamer
 * without ffmpeg's decoders, MediaInfo, exiftool and mkvmerge. Prints every difference. Ends with 1 where there was one.
 */
const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    keep: { type: "string" },
    json: { type: "string" },
  },
});

type Row = { readonly drawn: Drawn; readonly faults: readonly string[]; readonly unread: readonly string[] };

const main = async (): Promise<void> => {
  for (const program of ["gst-launch-1.0", "mediainfo", "mkvmerge"]) requireProgram(program);
  requireProgram("exiftool", "-ver");
  const random = randomFrom(Number(values.seed));
  const drawn = Array.from({ length: Number(values.jobs) }, (_, nr) => draw(nr, random));
  const only = values.only.split(",").filter(Boolean).map(Number);
  const paths = await makeMaterials(join(tmpdir(), "mediafarm-readers"));
  const rows: Row[] = [];
  await using farm = await startSampleFarm();
  const folder = join(farm.bucket, "readers");
  mkdirSync(folder, { recursive: true });
  for (const each of drawn.filter(({ nr }) => only.length === 0 || only.includes(nr))) {
    const row = { drawn: each, ...(await runOne(farm, folder, each, paths)) };
    rows.push(row);
    console.log(lineOf(row));
  }
  const wrong = rows.filter(({ faults }) => faults.length > 0).length;
  const partly = rows.filter(({ unread }) => unread.length > 0).length;
  console.log(`\n${rows.length} jobs, ${wrong} differ, ${partly} with a part that only ffmpeg decodes`);
  if (values.json) writeFileSync(values.json, JSON.stringify(rows, null, 1));
  process.exitCode = wrong > 0 ? 1 : 0;
};

const requireProgram = (program: string, ask = "--version"): void => {
  try {
    execFileSync(program, [ask], { stdio: "ignore" });
  } catch {
    throw new Error(
      `${program} is missing: install gstreamer1.0-tools, its base, good, bad and ugly plugins, mediainfo, libimage-exiftool-perl and mkvtoolnix`,
    );
  }
};

const runOne = async (
  { bucket, client }: SampleFarm,
  folder: string,
  drawn: Drawn,
  paths: ReadonlyMap<string, string>,
) => {
  const source = join(folder, drawn.material.name);
  execFileSync("cp", ["--update", paths.get(drawn.material.name) ?? "", source]);
  const url = `file://${source}`;
  const elements = [
    { uid: "source", kind: "source", payload: { kind: "asset_url", payload: { storage_provider: "local", url } } },
    {
      ...{ uid: "transcode", kind: "transcode" },
      payload: {
        location: { storage_provider: "local", path: `file://${bucket}/readers/out` },
        targets: [drawn.target],
      },
    },
  ];
  const connections = [{ from: [{ element: "source" }], to: { success: [{ element: "transcode" }] } }];
  const made = join(folder, "out", drawn.name);
  rmSync(made, { force: true });
  try {
    const { id } = await client.createJob({ name: drawn.name, payload: { elements, connections } });
    const status = await untilEnded(client, id, 300);
    if (status !== "completed")
      return { faults: [`the job ${status ?? "did not end"}: ${await whyFailed(client, id)}`], unread: [] };
    if (values.keep) execFileSync("cp", [made, values.keep]);
    const { read, unread } = await readAll(made, drawn);
    const headers = await readHeaders(made);
    const { warnings } = warned.parse((await client.getResult({ job_id: id })).job);
    const seen = [
      ...differences(drawn, read),
      ...headerDifferences(drawn.expected, headers, { path: made, sar: drawn.material.sar }),
    ];
    return {
      faults: [
        ...seen.filter((fault) => !isWarnedOf(fault, warnings)),
        ...unread.flatMap(({ problem }) => problem ?? []),
      ],
      unread: unread.map(({ what }) => what),
    };
  } catch (problem) {
    return { faults: [String(problem).slice(0, 300)], unread: [] };
  }
};

/** What the result's job says was done otherwise. */
const warned = z.looseObject({ warnings: z.array(z.string()) });

const whyFailed = async (client: SampleFarm["client"], id: string): Promise<string> =>
  JSON.stringify((await client.getResult({ job_id: id })).errors).slice(0, 600);

type Unread = { readonly what: string; readonly problem?: string };

const readAll = async (path: string, { expected }: Drawn): Promise<{ read: Read; unread: Unread[] }> => {
  const unread: Unread[] = [];
  const told = await tell(path);
  const facts = { channels: told.channels, depth: told.depth };
  // GStreamer ends altogether where it cannot read one of the tracks.
  const hasUnread = isUnread({ ...facts, codec: expected.audio ?? "" });
  const attempt = async <T>(codec: string | undefined, read: () => Promise<T>): Promise<T | undefined> => {
    if (codec === undefined || codec === "") return undefined;
    if (isUnread({ ...facts, codec })) {
      unread.push({ what: codec });
      return undefined;
    }
    return read().catch((problem) => {
      if (problem instanceof ReaderCrashed || hasUnread) unread.push({ what: codec });
      else unread.push({ what: codec, problem: `GStreamer: ${codec}: ${String(problem).slice(0, 300)}` });
      return undefined;
    });
  };
  const pictures = await attempt(expected.video, () => readPictures(path, expected.width, expected.height));
  const sound = await attempt(expected.audio, () => readSound(path, expected.video === "jpeg2000"));
  return { read: { told, pictures, sound }, unread };
};

const lineOf = ({ drawn: { nr, material, target }, faults }: Row): string =>
  `${faults.length > 0 ? "DIFFERS" : "ok     "} ${nr} ${material.name} ${material.layout ?? "silent"} -> ${JSON.stringify(target)}${faults.map((each) => `\n        ${each}`).join("")}`;

await main();
