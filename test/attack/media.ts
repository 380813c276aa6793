import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { report as reportSchema } from "../../shared/protocol/messages.ts";
import { aFarm, anAssignment, type Farm, media } from "../helpers/agent/agent-fixture.ts";
import { ffmpegPath, ffprobePath, make } from "../helpers/media/media-tools.ts";
import type { Attack, Random, Tally } from "./attack.ts";

type Bomb = {
  readonly what: string;
  readonly name: string;
  readonly lay: (path: string, random: Random) => Promise<unknown>;
};

const size = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([size(body.length + 8), Buffer.from(type, "latin1"), body]);
};
const ftyp = box("ftyp", Buffer.from("isom\0\0\0\0isom"));

/** A PNG whose head alone is there. */
const png = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "latin1"),
    ...[size(width), size(height), Buffer.from([8, 6, 0, 0, 0]), Buffer.alloc(4)],
  ]);

const tone = ["-f", "lavfi", "-i", "sine=duration=1"];
const picture = ["-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=1"];

/** A film with this edit list in the place of its own: the movie stands last, so that nothing else moves. */
const withEdits = async (path: string, entries: readonly (readonly number[])[]): Promise<void> => {
  await make(path, ...picture, "-c:v", "mpeg4");
  const bytes = await readFile(path);
  const list = bytes.indexOf("elst") - 4;
  const made = box("elst", Buffer.concat([0x0100_0000, entries.length, ...entries.flat()].map(size)));
  const more = made.length - bytes.readUInt32BE(list);
  const starts = [list - 8, bytes.lastIndexOf("trak", list) - 4, bytes.lastIndexOf("moov", list) - 4];
  for (const start of starts) bytes.writeUInt32BE(bytes.readUInt32BE(start) + more, start);
  await writeFile(path, Buffer.concat([bytes.subarray(0, list), made, bytes.subarray(list + made.length - more)]));
};
/** Of version 1: a length of 64 bits, a time of 64 bits, a rate. */
const edit = (high: number, low: number, time = 0): number[] => [high, low, time < 0 ? -1 : 0, time, 65_536];

const bombs: readonly Bomb[] = [
  ...(
    [
      ["of lengths beyond all numbers", [edit(0x001f_ffff, -1), edit(0x001f_ffff, -1)]],
      ["of almost no length", [edit(0, 1), edit(0, 1)]],
      ["of no length", [edit(0, 0), edit(0, 0)]],
      ["of negative lengths", [edit(-1, -1), edit(-1, -1)]],
      ["of negative times", [edit(0, 500, -5), edit(0, 500, -1)]],
      ["of fifty thousand entries", Array.from({ length: 50_000 }, () => edit(0, 1))],
    ] as const
  ).map(
    ([what, entries]): Bomb => ({
      ...{ what: `an edit list ${what}`, name: "edits.mp4" },
      lay: (path) => withEdits(path, entries),
    }),
  ),
  {
    what: "a picture of huge size",
    name: "huge.png",
    lay: (path, random) =>
      writeFile(path, png(random.one([65_535, 2 ** 31 - 1, 2 ** 32 - 1]), random.one([65_535, 2 ** 31 - 1]))),
  },
  {
    what: "an MP4 of many tracks",
    name: "tracks.mp4",
    lay: (path, random) =>
      writeFile(
        path,
        Buffer.concat([
          ftyp,
          box("moov", ...Array.from({ length: random.integer(20_000, 60_000) }, () => box("trak"))),
        ]),
      ),
  },
  {
    what: "boxes within boxes",
    name: "deep.mp4",
    lay: (path, random) => {
      let inner = box("free");
      for (let depth = random.integer(1000, 5000); depth > 0; depth--) inner = box(depth % 2 ? "moov" : "trak", inner);
      return writeFile(path, Buffer.concat([ftyp, inner]));
    },
  },
  {
    what: "boxes that promise more than there is",
    name: "promise.mp4",
    lay: (path, random) =>
      writeFile(path, Buffer.concat([ftyp, size(1), Buffer.from("mdat"), size(random.integer(0, 2 ** 31)), size(7)])),
  },
  {
    what: "a title of three million characters",
    name: "title.mkv",
    lay: (path) =>
      writeFile(`${path}.txt`, `;FFMETADATA1\ntitle=${"\u0001".repeat(3_000_000)}\n`).then(() =>
        make(path, ...tone, "-f", "ffmetadata", "-i", `${path}.txt`, "-map_metadata", "1", "-map", "0"),
      ),
  },
  {
    what: "ten thousand chapters",
    name: "chapters.mkv",
    lay: (path) => {
      const chapters = Array.from(
        { length: 10_000 },
        (_, nr) => `[CHAPTER]\nTIMEBASE=1/100000\nSTART=${nr}\nEND=${nr + 1}\ntitle=${"x".repeat(100)}\n`,
      );
      return writeFile(`${path}.txt`, `;FFMETADATA1\n${chapters.join("")}`).then(() =>
        make(path, ...tone, "-f", "ffmetadata", "-i", `${path}.txt`, "-map_metadata", "1", "-map", "0"),
      );
    },
  },
  {
    what: "a transport stream of hundreds of streams",
    name: "streams.ts",
    lay: (path, random) =>
      make(
        path,
        ...picture,
        ...Array.from({ length: random.integer(100, 200) }, () => ["-map", "0"]).flat(),
        "-c:v",
        "mpeg2video",
      ),
  },
  {
    what: "random bytes behind a head of media",
    name: "noise.mkv",
    lay: async (path, random) => {
      await make(path, ...picture, "-c:v", "mpeg2video");
      const noise = Buffer.from(Array.from({ length: 20_000 }, () => random.integer(0, 255)));
      await writeFile(path, noise, { flag: "r+" }).catch(() => undefined);
      await writeFile(path, Buffer.concat([Buffer.from("\x1a\x45\xdf\xa3", "latin1"), noise]));
    },
  },
];

/** Media made to exhaust whoever reads it: each ends in words, and the node works on. */
export const mediaBombs: Attack = {
  name: "media bombs",
  run: async ({ random, tries }) => {
    const farm = await aFarm();
    try {
      const tools = { ...(ffmpegPath && { ffmpegPath }), ...(ffprobePath && { ffprobePath }) };
      await farm.start({ config: { ...farm.config, ...tools } });
      await farm.coordinator.receive("hello");
      const tallies: Tally[] = [];
      for (const [index, bomb] of bombs.entries())
        tallies.push(
          await tryBomb(bomb, { farm, random, tries: Math.max(1, Math.floor(tries / 20)), from: 1 + index * 1000 }),
        );
      return tallies;
    } finally {
      await farm.end();
    }
  },
};

const mostMemory = 1.5e9;
/** The coordinator takes no larger message. */
const mostReport = 8e6;

type Trying = { readonly farm: Farm; readonly random: Random; readonly tries: number; readonly from: number };

const tryBomb = async (bomb: Bomb, { farm, random, tries, from }: Trying): Promise<Tally> => {
  const fell: string[] = [];
  const probe = async (path: string, counter: number) => {
    const work = {
      assets: { in: { uri: `file://${path}` } },
      outputs: {},
      steps: [{ do: "probe" as const, id: "facts", asset: "in" }],
    };
    const assignment = anAssignment({ root: farm.root, counter, work });
    farm.coordinator.assign(assignment);
    return farm.coordinator.reportOf(assignment.fence);
  };
  for (let nr = 0; nr < tries; nr++) {
    const path = join(farm.root, `${from + nr}-${bomb.name}`);
    await bomb.lay(path, random);
    const report = await probe(path, from + nr * 2);
    const misfit = reportSchema.safeParse(JSON.parse(JSON.stringify(report))).error?.issues[0];
    if (misfit) fell.push(`its report breaks the protocol: ${misfit.path.join(".")} ${misfit.message}`);
    if (JSON.stringify(report).length > mostReport) fell.push("its report is too large for the coordinator");
    if (process.memoryUsage().rss > mostMemory) fell.push("the agent took too much memory");
    await writeFile(join(farm.root, "in.mp4"), media());
    const { outcome } = await probe(join(farm.root, "in.mp4"), from + nr * 2 + 1);
    if (outcome.outcome === "failed" && outcome.failure.cause !== "source")
      fell.push(`afterwards: ${outcome.failure.message}`);
  }
  return { what: bomb.what, tried: tries, fell };
};
