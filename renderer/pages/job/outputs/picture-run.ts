import type { JobOutput } from "../../../../shared/api/job-outputs.ts";
import { mediaKindOf } from "../../../../shared/files/media-kinds.ts";

export type NumberedPicture = { readonly output: JobOutput; readonly number: number };

/** The largest group of numbered pictures that one task made, such as `shot_0001.png` to `shot_0240.png`, in order. */
export const pictureRun = (outputs: readonly JobOutput[]): readonly NumberedPicture[] => {
  const runs = new Map<string, NumberedPicture[]>();
  for (const output of outputs) {
    const [, before, digits, after] = /^(.*?)(\d{1,9})(\D*)$/.exec(output.uri) ?? [];
    if (digits === undefined || mediaKindOf(output.uri).show !== "image") continue;
    const key = JSON.stringify([output.task_id, before, after]);
    const run = runs.get(key) ?? [];
    run.push({ output, number: Number(digits) });
    runs.set(key, run);
  }
  const longest = [...runs.values()].reduce<NumberedPicture[]>((a, b) => (b.length > a.length ? b : a), []);
  return longest.length < 2 ? [] : longest.toSorted((a, b) => a.number - b.number);
};

/** At most so many of a list, each from the middle of an equal part of it. */
export const spreadPictures = <Item>(items: readonly Item[], most: number): readonly Item[] => {
  const parts = Math.min(most, items.length);
  const chosen = new Set(Array.from({ length: parts }, (_, part) => Math.floor(((part + 0.5) * items.length) / parts)));
  return items.filter((_, at) => chosen.has(at));
};
