import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { lumaOf, type Plane } from "../../helpers/media/filtered.ts";

const font = join(import.meta.dirname, "../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf");
const characters = "0123456789:;.";

/** The share of its size by which a letter of this font moves on. */
const advance = 1233 / 2048;

type Cell = readonly number[];
export type Glyphs = { readonly size: number; readonly cells: ReadonlyMap<string, Cell> };

/** Every character of running timecodes, drawn by another program than ffmpeg. */
export const drawGlyphs = async (folder: string, size: number): Promise<Glyphs> => {
  const path = join(folder, "glyphs.png");
  const [width, height] = [Math.ceil(size * (characters.length + 2)), size * 2];
  const args = ["-size", `${width}x${height}`, "xc:black", "-fill", "white", "-font", font, "-pointsize", String(size)];
  await promisify(execFile)("convert", [...args, "-annotate", `+${size}+${Math.round(size * 1.4)}`, characters, path]);
  const [plane] = await lumaOf(path, width, height, ["-pix_fmt", "gray"]);
  if (!plane) throw new Error("no glyphs were drawn");
  const line = lineAt(plane, size, size);
  return { size, cells: new Map([...characters].map((each, at) => [each, cellAt(plane, line, at)])) };
};

/** The text that stands in a picture from `x` on, in white on black: each cell is the glyph that it is nearest to. */
export const readText = (plane: Plane, x: number, count: number, { size, cells }: Glyphs): string => {
  const line = lineAt(plane, x, size);
  return Array.from({ length: count }, (_, at) => nearest(cellAt(plane, line, at), cells)).join("");
};

type Line = { readonly x: number; readonly top: number; readonly height: number; readonly step: number };

const bright = 128;

/** Rows of the first cell, which is always a number; below them is room for what hangs lower. */
const lineAt = ({ data, width, height }: Plane, x: number, size: number): Line => {
  const step = size * advance;
  const rows = Array.from({ length: height }, (_, row) => row).filter((row) =>
    data.subarray(row * width + x, row * width + x + Math.floor(step)).some((value) => value > bright),
  );
  const top = rows[0] ?? 0;
  return { x, top, height: ((rows.at(-1) ?? 0) - top) * 1.3, step };
};

const [across, down] = [10, 18];

/** A cell as a few numbers, whatever its size. */
const cellAt = (plane: Plane, { x, top, height, step }: Line, at: number): Cell =>
  Array.from({ length: across * down }, (_, place) => {
    const column = Math.round(x + step * at + ((place % across) + 0.5) * (step / across));
    const row = Math.round(top + (Math.floor(place / across) + 0.5) * (height / down));
    return plane.data[row * plane.width + column] ?? 0;
  });

const nearest = (cell: Cell, cells: Glyphs["cells"]): string => {
  const scored = [...cells].map(([character, other]) => ({ character, off: distance(cell, other) }));
  return scored.reduce((a, b) => (b.off < a.off ? b : a)).character;
};

const distance = (a: Cell, b: Cell): number => a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0);
