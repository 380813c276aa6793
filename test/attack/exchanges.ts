import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToUri } from "../../shared/files/location.ts";
import type { Assignment } from "../../shared/protocol/messages.ts";
import type { Output, StepOf, Work } from "../../shared/work/work.ts";
import { aFarm, anAssignment, type Farm } from "../helpers/agent/agent-fixture.ts";
import { ffmpegPath, ffprobePath, make } from "../helpers/media/media-tools.ts";
import type { Attack, Random, Tally } from "./attack.ts";
import { startExchanging } from "./exchanging.ts";

/** In the media of the outside; nothing that a job makes may hold it. */
const secret = "outside-secret";

type Place = { readonly root: string; readonly outside: string };

type Way = {
  readonly what: string;
  /** Lays out what one try destroys. */
  readonly before?: (place: Place) => Promise<void>;
  /** What is exchanged for a link: its name in the root. */
  readonly real: string;
  /** Where the link leads, in the outside folder. */
  readonly leads: string;
  readonly work: (place: Place) => Partial<Work>;
  readonly output?: (place: Place) => Partial<Output>;
};

const uriIn = (...names: string[]): string => pathToUri(join(...names), "posix");

const encode = (...argv: StepOf<"ffmpeg">["argv"]): Work["steps"] => [
  { do: "ffmpeg", id: "encode", argv: ["-v", "error", "-nostdin", ...argv, { out: "main" }] },
];
const remux = (...opening: string[]) => encode(...opening, "-i", { asset: "in" }, "-c", "copy", "-f", "mov");
const copy: Work["steps"] = [{ do: "copy", id: "copy", files: [{ from: ["in"], to: "main" }] }];

const ways: readonly Way[] = [
  {
    what: "a copied file",
    real: "clip.mov",
    leads: "clip.mov",
    work: ({ root }) => ({
      assets: { in: { uri: uriIn(root, "clip.mov") } },
      steps: copy,
    }),
  },
  {
    what: "a file that ffmpeg reads",
    real: "clip.mov",
    leads: "clip.mov",
    work: ({ root }) => ({ assets: { in: { uri: uriIn(root, "clip.mov") } }, steps: remux() }),
  },
  {
    what: "the folder of a file that ffmpeg reads",
    real: "folder",
    leads: "",
    work: ({ root }) => ({ assets: { in: { uri: uriIn(root, "folder/clip.mov") } }, steps: remux() }),
  },
  {
    what: "joined files",
    real: "clip.mov",
    leads: "clip.mov",
    work: ({ root }) => ({
      assets: { in: { uri: uriIn(root, "joined"), pieces: [1, 2].map(() => ({ uri: uriIn(root, "clip.mov") })) } },
      steps: remux("-protocol_whitelist", "concat,concatf,subfile,file"),
    }),
  },
  {
    what: "numbered pictures",
    real: "pictures",
    leads: "pictures",
    work: ({ root }) => ({
      assets: { in: { uri: uriIn(root, "pictures/%d.bmp"), images: { first: 1, rate: { num: 25, den: 1 } } } },
      steps: encode("-f", "image2", "-i", { asset: "in" }, "-pix_fmt", "bgr24", "-f", "rawvideo"),
    }),
  },
  {
    what: "the folder of a target",
    real: "out",
    leads: "drop",
    work: ({ root }) => ({ assets: { in: { uri: uriIn(root, "clip.mov") } }, steps: remux() }),
  },
  {
    what: "the folder of a copy",
    real: "out",
    leads: "drop",
    work: ({ root }) => ({
      assets: { in: { uri: uriIn(root, "clip.mov") } },
      steps: copy,
    }),
  },
  {
    what: "a temporary folder",
    real: "temp",
    leads: "drop",
    work: ({ root }) => ({ assets: { in: { uri: uriIn(root, "clip.mov") } }, steps: remux() }),
    output: ({ root }) => ({ temp: { folder: uriIn(root, "temp") } }),
  },
  {
    what: "a folder that is deleted",
    before: async ({ root }) => {
      await mkdir(join(root, "doomed/inner"), { recursive: true });
      for (let number = 0; number < 50; number++) await writeFile(join(root, `doomed/inner/${number}`), "");
    },
    real: "doomed/inner",
    leads: "kept",
    work: ({ root }) => ({
      assets: {},
      outputs: {},
      steps: [{ do: "delete", id: "delete", files: [], folders: [uriIn(root, "doomed")] }],
    }),
  },
];

/** Names in a root are exchanged for links to the outside while an agent works. */
export const exchanges: Attack = {
  name: "exchanged names",
  run: async ({ random, tries }) => {
    const farm = await aFarm();
    try {
      const place = { root: farm.root, outside: join(farm.root, "../outside") };
      await prepare(place);
      const tools = { ...(ffmpegPath && { ffmpegPath }), ...(ffprobePath && { ffprobePath }) };
      await farm.start({ config: { ...farm.config, ...tools } });
      await farm.coordinator.receive("hello");
      const tallies: Tally[] = [];
      for (const [index, way] of ways.entries())
        tallies.push(await tryWay(way, { farm, place, tries, random, from: index * 10_000 }));
      return tallies;
    } finally {
      await farm.end();
    }
  },
};

const prepare = async ({ root, outside }: Place): Promise<void> => {
  for (const folder of ["pictures", "drop", "kept"]) await mkdir(join(outside, folder), { recursive: true });
  for (const folder of ["folder", "pictures", "temp"]) await mkdir(join(root, folder));
  await writeFile(join(outside, "kept/precious"), "");
  await mediaIn(root, "harmless-title");
  await mediaIn(outside, secret);
  await cp(join(root, "clip.mov"), join(root, "folder/clip.mov"));
};

const mediaIn = async (folder: string, words: string): Promise<void> => {
  const picture = ["-f", "lavfi", "-i", "testsrc=size=32x32:rate=25:duration=0.2", "-c:v", "mpeg2video"];
  await make(join(folder, "clip.mov"), ...picture, "-metadata", `title=${words}`);
  for (const number of [1, 2, 3]) await writeFile(join(folder, `pictures/${number}.bmp`), aBitmap(words));
};

/** 32 by 32 pixels, whose bytes are these words again and again. */
const aBitmap = (words: string): Buffer => {
  const pixels = Buffer.alloc(32 * 32 * 3, words);
  const head = Buffer.alloc(54);
  head.write("BM");
  for (const [at, value] of [
    [2, 54 + pixels.length],
    [10, 54],
    [14, 40],
    [18, 32],
    [22, 32],
  ] as const)
    head.writeUInt32LE(value, at);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, pixels]);
};

type Trying = {
  readonly farm: Farm;
  readonly place: Place;
  readonly tries: number;
  readonly random: Random;
  readonly from: number;
};

const atOnce = 4;

const tryWay = async (way: Way, { farm, place, tries, random, from }: Trying): Promise<Tally> => {
  const link = join(place.root, `${way.real}-elsewhere`);
  const fell: string[] = [];
  let tried = 0;
  let published = 0;
  while (tried < tries) {
    await way.before?.(place);
    await rm(link, { force: true });
    await symlink(join(place.outside, way.leads), link);
    const stop = await startExchanging(join(place.root, way.real), link, random.integer(0, 1e6));
    const round = way.before ? 1 : atOnce;
    const assignments = Array.from({ length: round }, (_, index) => assignmentOf(way, place, from + tried + index));
    for (const each of assignments) {
      await setTimeout(random.integer(0, 8));
      farm.coordinator.assign(each);
    }
    const reports = await Promise.all(assignments.map(({ fence }) => farm.coordinator.reportOf(fence)));
    await stop();
    tried += round;
    for (const { outcome } of reports) if (outcome.outcome === "published") published += 1;
    fell.push(...(await takings(place)));
  }
  return { what: way.what, tried, fell, note: `${published} ended as if nobody had attacked` };
};

const assignmentOf = (way: Way, place: Place, counter: number): Assignment => {
  const output = { name: `result-${counter}`, ...way.output?.(place) };
  const { work, ...rest } = anAssignment({ root: place.root, counter, output, work: way.work(place) });
  return { ...rest, work };
};

/** What the attack got: outside bytes in the root, or traces outside. Removes them. */
const takings = async ({ root, outside }: Place): Promise<string[]> => {
  const got: string[] = [];
  for (const name of await readdir(join(root, "out"))) {
    const path = join(root, "out", name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0)); // the agent may sweep its own files at this moment
    if (bytes.includes(secret)) got.push(`delivered outside bytes as ${name}`);
    await rm(path, { force: true });
  }
  for (const name of await readdir(join(outside, "drop"))) {
    got.push(`left ${name} outside`);
    await rm(join(outside, "drop", name), { recursive: true, force: true });
  }
  for (const name of await readdir(join(root, "temp"))) await rm(join(root, "temp", name), { force: true });
  if (!existsSync(join(outside, "kept/precious"))) {
    got.push("deleted outside files");
    await writeFile(join(outside, "kept/precious"), "");
  }
  return got;
};
