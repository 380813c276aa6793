/** A drawn page: lines of pixels, four bytes each: red, green, blue, opacity, mixed with black as far as it is clear. */
export type Drawing = { readonly width: number; readonly height: number; readonly rgba: Uint8Array };

/** A part of a page in few colours. Number 0 is clear, and is no part of `colors`. */
export type Bitmap = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly colors: readonly Color[];
};

export type Color = readonly [red: number, green: number, blue: number, opacity: number];

/** Fainter than this is not seen. */
const faintest = 12;
const isSeen = (rgba: Uint8Array, at: number): boolean => (rgba[at + 3] ?? 0) >= faintest;

/** The part of a page on which something is seen, in at most so many colours; undefined where nothing is. */
export const bitmapOf = ({ width, height, rgba }: Drawing, most: number): Bitmap | undefined => {
  const box = boxOf(rgba, width, height);
  if (!box) return undefined;
  const cells = cellsIn(rgba, width, box);
  const colors = chosen(cells, most);
  const numbers = new Map([...cells].map(([key, cell]) => [key, 1 + nearest(colorOf(cell), colors)]));
  const pixels = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y += 1)
    for (let x = 0; x < box.width; x += 1) {
      const at = 4 * ((box.top + y) * width + box.left + x);
      if (isSeen(rgba, at)) pixels[y * box.width + x] = numbers.get(keyOf(rgba, at)) ?? 0;
    }
  return { ...box, pixels, colors };
};

type Box = Pick<Bitmap, "left" | "top" | "width" | "height">;

const boxOf = (rgba: Uint8Array, width: number, height: number): Box | undefined => {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (!isSeen(rgba, 4 * (y * width + x))) continue;
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), y];
    }
  return bottom < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
};

/** Colours that are nearly alike, together. */
type Cell = { count: number; readonly sums: [number, number, number, number] };

const keyOf = (rgba: Uint8Array, at: number): number =>
  (((rgba[at] ?? 0) >> 4) << 12) |
  (((rgba[at + 1] ?? 0) >> 4) << 8) |
  (((rgba[at + 2] ?? 0) >> 4) << 4) |
  ((rgba[at + 3] ?? 0) >> 4);

const cellsIn = (rgba: Uint8Array, width: number, box: Box): Map<number, Cell> => {
  const cells = new Map<number, Cell>();
  for (let y = box.top; y < box.top + box.height; y += 1)
    for (let x = box.left; x < box.left + box.width; x += 1) {
      const at = 4 * (y * width + x);
      if (!isSeen(rgba, at)) continue;
      const key = keyOf(rgba, at);
      const cell = cells.get(key) ?? { count: 0, sums: [0, 0, 0, 0] };
      cell.count += 1;
      for (const part of [0, 1, 2, 3] as const) cell.sums[part] += rgba[at + part] ?? 0;
      cells.set(key, cell);
    }
  return cells;
};

/** The mean of a cell, no longer mixed with black. */
const colorOf = ({ count, sums }: Cell): Color => {
  const [red, green, blue, opacity] = sums;
  const part = (sum: number): number => Math.min(255, Math.round((sum * 255) / Math.max(1, opacity)));
  return [part(red), part(green), part(blue), Math.round(opacity / count)];
};

/** The most frequent colour first, then those that are both frequent and unlike the ones before. */
const chosen = (cells: ReadonlyMap<number, Cell>, most: number): Color[] => {
  const all = [...cells.values()].map((cell) => ({ color: colorOf(cell), count: cell.count, far: 1e6 }));
  const colors: Color[] = [];
  while (colors.length < most) {
    const best = all.reduce((a, b) => (b.far * b.count > a.far * a.count ? b : a), {
      far: 0,
      count: 0,
      color: all[0]?.color,
    });
    if (!best.color || best.far === 0) break;
    colors.push(best.color);
    for (const each of all) each.far = Math.min(each.far, distance(each.color, best.color));
  }
  return colors;
};

const distance = (a: Color, b: Color): number =>
  a.reduce<number>((sum, value, part) => sum + (value - (b[part] ?? 0)) ** 2, 0);

const nearest = (color: Color, colors: readonly Color[]): number => {
  let best = 0;
  for (const [at, each] of colors.entries())
    if (distance(color, each) < distance(color, colors[best] ?? each)) best = at;
  return best;
};
