import { copyFile, open, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Piece } from "../../../media/splices/cue-playlist.ts";
import { createCutFinder } from "../../../media/splices/cut.ts";
import { createSpliceInserter } from "../../../media/splices/insert.ts";
import { ticksPerSecond } from "../../../media/splices/ticks.ts";
import { momentsOf, type SplicePoint } from "../../../shared/work/splice-point.ts";
import type { StepContext } from "../step.ts";
import { transportBlocks } from "./transport-blocks.ts";

type Segments = { readonly folder: string; readonly names: readonly string[]; readonly isCut: boolean };

/**
 * Puts sections into the segments of one stream, given in order. Segments are cut where a splice lies within them. Tells
 * the pieces of each segment, and the stamp of the first picture.
 */
export const spliceSegments = async (
  { folder, names, isCut }: Segments,
  points: readonly SplicePoint[],
  context: StepContext,
) => {
  const finder = createCutFinder(isCut ? momentsOf(points) : []);
  const inserter = createSpliceInserter(points, false);
  const pieces = new Map<string, readonly Piece[]>();
  for (const [index, name] of names.entries()) {
    finder.next();
    const made: Piece[] = [];
    const cut = createPieces(name, context.scratch);
    await using from = await open(join(folder, name));
    let begin: number | undefined;
    for await (const block of transportBlocks(from, context)) {
      let done = 0;
      for (const { at, time } of finder.see(block)) {
        await cut.write(inserter.through(block.subarray(done, at)));
        made.push({ name: cut.name(), begin: (begin ?? finder.begin()) / ticksPerSecond });
        begin = time;
        await cut.next();
        await cut.write(inserter.through(finder.tables()));
        done = at;
      }
      await cut.write(inserter.through(block.subarray(done)));
    }
    made.push({ name: cut.name(), begin: (begin ?? finder.begin()) / ticksPerSecond });
    if (index === names.length - 1) await cut.write(inserter.end());
    await cut.end(folder);
    pieces.set(name, made);
  }
  return { pieces, zero: finder.zero() };
};

/** The files that a segment becomes; the first one keeps its name. */
const createPieces = (segment: string, scratch: string) => {
  const ending = extname(segment);
  const names = [segment];
  const pathOf = (name: string) => join(scratch, `spliced_${name}`);
  let file = open(pathOf(segment), "wx");
  return {
    name: (): string => names.at(-1) ?? segment,
    write: async (bytes: Uint8Array): Promise<void> => {
      await (await file).write(bytes);
    },
    next: async (): Promise<void> => {
      await (await file).close();
      const name = `${segment.slice(0, segment.length - ending.length)}_${names.length}${ending}`;
      names.push(name);
      file = open(pathOf(name), "wx");
    },
    end: async (folder: string): Promise<void> => {
      await (await file).close();
      for (const name of names) {
        await copyFile(pathOf(name), join(folder, name));
        await rm(pathOf(name));
      }
    },
  };
};
