import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Work } from "../../shared/work/work.ts";
import { aFarm, anAssignment, type Farm } from "../helpers/agent/agent-fixture.ts";
import type { Attack, Random, Tally } from "./attack.ts";

const secret = "what-lies-outside";

/** Words between slashes: ways up, ways round, links, and spellings of them that a careless reader takes for others. */
const words = [
  ...["..", ".", "", "%2e%2e", "..%2f..", "%2F", "%00", "..;", "...", "..\\..", "%5c..", "%252e%252e", "‥", "․․"],
  ...["in.mp4", "out", "link", "loop", "chain", "folder-link", "secret.mp4", "outside", "root", "data", "machine.key"],
  ...["proc", "self", "root", "fd", "3", "environ", "dev", "stdin", "etc", "hostname", "~", "$HOME", "-i", "*"],
];

const begins = (root: string): readonly string[] => [
  ...[
    `file://${root}`,
    `file://localhost${root}`,
    `file:/${root}`,
    root,
    `FILE://${root}`,
    `file:///`,
    "file:///proc/self",
  ],
  ...[`file://127.0.0.1${root}`, `file://${root}/../outside`, `concat:${root}`, `subfile:${root}`, `//${root}`],
];

/** Asks for files outside of a root by every spelling, to be read, written, sent on, listed and deleted. */
export const paths: Attack = {
  name: "paths and links",
  run: async ({ random, tries }) => {
    const farm = await aFarm();
    try {
      await prepare(farm);
      await farm.start();
      await farm.coordinator.receive("hello");
      const tallies: Tally[] = [];
      for (const [index, way] of ways.entries())
        tallies.push(await tryWay(way, { farm, random, tries: tries * 5, from: 1 + index * 100_000 }));
      return tallies;
    } finally {
      await farm.end();
    }
  },
};

const outsideOf = ({ root }: Farm): string => join(root, "../outside");

const prepare = async ({ root, dataDir }: Farm): Promise<void> => {
  const outside = join(root, "../outside");
  await mkdir(join(outside, "folder"), { recursive: true });
  for (const path of [join(outside, "secret.mp4"), join(outside, "folder/secret.mp4"), join(dataDir, "machine.key")])
    await writeFile(path, `\0\0\0\x18ftypisom${secret}`);
  await symlink("../outside/secret.mp4", join(root, "link"));
  await symlink("loop", join(root, "loop"));
  await symlink("link", join(root, "chain"));
  await symlink(outside, join(root, "folder-link"));
  await symlink(dataDir, join(root, "data"));
  await cp(join(root, "in.mp4"), join(root, "in2.mp4"));
};

type Way = { readonly what: string; readonly work: (address: string) => Partial<Work>; readonly isTarget?: boolean };

const ways: readonly Way[] = [
  {
    what: "copied",
    work: (uri) => ({
      assets: { in: { uri } },
      steps: [{ do: "copy", id: "copy", files: [{ from: ["in"], to: "main" }] }],
    }),
  },
  { what: "given to a tool", work: (uri) => ({ assets: { in: { uri } }, steps: [encode] }) },
  {
    what: "joined",
    work: (uri) => ({ assets: { in: { uri: "file:///joined", pieces: [{ uri }, { uri }] } }, steps: [encode] }),
  },
  {
    what: "read as a manifest",
    work: (uri) => ({ assets: { in: { uri } }, outputs: {}, steps: [{ do: "manifest", id: "read", asset: "in" }] }),
  },
  { what: "written", isTarget: true, work: () => ({ steps: [encode] }) },
  {
    what: "deleted",
    work: (uri) => ({
      assets: {},
      outputs: {},
      steps: [{ do: "delete", id: "delete", files: [{ uri }], folders: [uri.slice(0, uri.lastIndexOf("/"))] }],
    }),
  },
];

const encode: Work["steps"][number] = { do: "ffmpeg", id: "encode", argv: ["copy", { asset: "in" }, { out: "main" }] };

type Trying = { readonly farm: Farm; readonly random: Random; readonly tries: number; readonly from: number };

const tryWay = async (way: Way, { farm, random, tries, from }: Trying): Promise<Tally> => {
  const fell: string[] = [];
  for (let counter = from; counter < from + tries; counter++) {
    const address = anAddress(farm.root, random);
    await writeFile(join(farm.root, "in.mp4"), "\0\0\0\x18ftypisom");
    const output = { name: "made.mp4", existing: "replace" as const, ...(way.isTarget && { folder: address }) };
    const assignment = anAssignment({ root: farm.root, counter, output, work: way.work(address) });
    farm.coordinator.assign(assignment);
    const report = await farm.coordinator.reportOf(assignment.fence);
    if (JSON.stringify(report).includes(secret)) fell.push(`${address} is told in the report`);
    fell.push(...(await traces(farm)).map((each) => `${address} ${each}`));
  }
  return { what: way.what, tried: tries, fell };
};

const anAddress = (root: string, random: Random): string => {
  const length = random.integer(1, 7);
  return [random.one(begins(root)), ...Array.from({ length }, () => random.one(words))].join("/");
};

const expected = ["folder", "folder/secret.mp4", "secret.mp4"];

/** What an attack left outside, or brought in. */
const traces = async (farm: Farm): Promise<string[]> => {
  const found = (await readdir(outsideOf(farm), { recursive: true })).sort();
  const changed = found.join() === expected.join() ? [] : [`changed the outside: ${found.join(", ")}`];
  const own = (await readdir(farm.dataDir)).includes("machine.key") ? [] : ["deleted a key"];
  const brought: string[] = [];
  for (const entry of await readdir(farm.root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path).catch(() => Buffer.alloc(0))).includes(secret))
      brought.push(`brought a secret to ${path}`);
  }
  return [...changed, ...own, ...brought];
};
