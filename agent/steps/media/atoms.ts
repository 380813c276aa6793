import { open } from "node:fs/promises";
import type { Json, JsonObject } from "../../../media/analyses/analysis.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { createReadAt, type ReadAt } from "../../disk/read-at.ts";
import { type Box, boxesWithin, named } from "../../formats/mp4-boxes.ts";
import { inputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Reads the heads of atoms only, whatever the file's size is. */
export const performAtoms: Performer<"atoms"> = async ({ id, asset, style }, context) => {
  const { keepResult, log } = context;
  const input = inputNamed(asset, context);
  log.line(`read the atoms of ${input.path}`);
  await using file = await open(input.path, "r");
  const { size } = await file.stat();
  const readAt = createReadAt(file);
  const atoms = await listed(readAt, await boxesWithin(readAt, 0, size), style);
  keepResult(id, { kind: "analysis", value: { general_properties: { container: { mov_atoms: atoms } } } });
};

/** Lists are for people: of a fragmented film of many hours, the first atoms say it all. */
const mostListed = 2000;
const deepest = 8;

/** Atoms that hold others. */
const holders = new Set("moov trak mdia minf dinf stbl edts udta mvex moof traf mfra gmhd".split(" "));

const listed = async (readAt: ReadAt, top: readonly Box[], style: StepOf<"atoms">["style"]): Promise<Json> => {
  if (style === "condensed") return top.slice(0, mostListed).map(plain);
  const counter = { left: mostListed };
  if (style === "full") return treeOf(readAt, top, counter, 0);
  const movie = await within(readAt, named(top, "moov"));
  const tracks: Json[] = [];
  for (const track of movie.filter(({ type }) => type === "trak").slice(0, 100))
    tracks.push({ track: tracks.length, atoms: await pathsOf(readAt, await within(readAt, track), counter, "") });
  return { movie: movie.filter(({ type }) => type !== "trak").map(plain), tracks };
};

const within = async (readAt: ReadAt, box: Box | undefined): Promise<Box[]> =>
  box ? boxesWithin(readAt, box.from, box.to) : [];

const plain = ({ type, from, to }: Box): JsonObject => ({ type, offset: from - 8, size: to - from + 8 });

type Counter = { left: number };

const treeOf = async (readAt: ReadAt, boxes: readonly Box[], counter: Counter, depth: number): Promise<Json[]> => {
  const atoms: Json[] = [];
  for (const box of boxes) {
    counter.left -= 1;
    if (counter.left < 0) break;
    const inner = holders.has(box.type) && depth < deepest ? await within(readAt, box) : [];
    atoms.push({ ...plain(box), ...(inner.length > 0 && { atoms: await treeOf(readAt, inner, counter, depth + 1) }) });
  }
  return atoms;
};

/** `mdia/minf/stbl`: each atom by where it lies. */
const pathsOf = async (readAt: ReadAt, boxes: readonly Box[], counter: Counter, prefix: string): Promise<string[]> => {
  const paths: string[] = [];
  for (const box of boxes) {
    counter.left -= 1;
    if (counter.left < 0) break;
    const path = `${prefix}${box.type}`;
    paths.push(path);
    if (holders.has(box.type) && path.split("/").length < deepest)
      paths.push(...(await pathsOf(readAt, await within(readAt, box), counter, `${path}/`)));
  }
  return paths;
};
