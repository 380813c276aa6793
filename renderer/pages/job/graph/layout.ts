import type { UiJob } from "../../../../shared/api/job-view.ts";

type Element = Pick<UiJob["elements"][number], "uid" | "state">;
type Connection = UiJob["connections"][number];

export type Placed = { readonly uid: string; readonly column: number; readonly row: number };
export type Edge = {
  readonly from: string;
  readonly to: string;
  readonly on: "success" | "error";
  readonly way: "taken" | "open" | "notTaken";
};

/** The place of each element: one column after everything it waits for, rows in the order of the definition. */
export const placeElements = (elements: readonly Element[], connections: readonly Connection[]): Placed[] => {
  const known = new Set(elements.map(({ uid }) => uid));
  const columns = new Map(elements.map(({ uid }) => [uid, 0]));
  const links = layOutEdges(elements, connections);
  // A definition has no cycles, so columns settle within as many rounds as there are elements.
  for (let round = 0, isMoving = true; isMoving && round < elements.length; round += 1) {
    isMoving = false;
    for (const { from, to } of links) {
      const wanted = (columns.get(from) ?? 0) + 1;
      if (!known.has(to) || (columns.get(to) ?? 0) >= wanted) continue;
      columns.set(to, wanted);
      isMoving = true;
    }
  }
  const heights = new Map<number, number>();
  return elements.map(({ uid }) => {
    const column = columns.get(uid) ?? 0;
    const row = heights.get(column) ?? 0;
    heights.set(column, row + 1);
    return { uid, column, row };
  });
};

export type Size = { readonly width: number; readonly height: number };
export type Box = Size & { readonly x: number; readonly y: number };

/** Boxes in columns as wide, and rows as high, as their largest one; each in the middle of its row. */
export const layOut = (
  places: readonly Placed[],
  sizeOf: (uid: string) => Size,
  gap: { readonly x: number; readonly y: number },
): { readonly boxes: ReadonlyMap<string, Box> } & Size => {
  const columns = startsOf(
    places,
    (each) => each.column,
    ({ uid }) => sizeOf(uid).width,
    gap.x,
  );
  const rows = startsOf(
    places,
    (each) => each.row,
    ({ uid }) => sizeOf(uid).height,
    gap.y,
  );
  const boxes = places.map(({ uid, column, row }): [string, Box] => {
    const size = sizeOf(uid);
    const y = (rows.starts[row] ?? 0) + ((rows.sizes[row] ?? 0) - size.height) / 2;
    return [uid, { ...size, x: columns.starts[column] ?? 0, y }];
  });
  return { boxes: new Map(boxes), width: columns.end, height: rows.end };
};

const startsOf = (
  places: readonly Placed[],
  lineOf: (place: Placed) => number,
  sizeOf: (place: Placed) => number,
  gap: number,
) => {
  const sizes: number[] = [];
  for (const place of places) sizes[lineOf(place)] = Math.max(sizes[lineOf(place)] ?? 0, sizeOf(place));
  const starts: number[] = [];
  let end = 0;
  for (const size of sizes) {
    starts.push(end);
    end += size + gap;
  }
  return { sizes, starts, end: Math.max(0, end - gap) };
};

/** Every arrow, and whether the job took it, may still take it, or did not. */
export const layOutEdges = (elements: readonly Element[], connections: readonly Connection[]): Edge[] => {
  const states = new Map(elements.map(({ uid, state }) => [uid, state]));
  return connections.flatMap(({ from, success, error }) =>
    from.flatMap((source) => [
      ...success.map((to): Edge => ({ from: source, to, on: "success", way: wayOf(states.get(source), "succeeded") })),
      ...error.map((to): Edge => ({ from: source, to, on: "error", way: wayOf(states.get(source), "failed") })),
    ]),
  );
};

const wayOf = (state: Element["state"] | undefined, taken: "succeeded" | "failed"): Edge["way"] => {
  if (state === taken) return "taken";
  return state === "succeeded" || state === "failed" || state === "skipped" ? "notTaken" : "open";
};
