import { printAss } from "../ass.ts";
import type { Cue } from "../cue.ts";

/** What is to be seen for a while, and nothing else with it: milliseconds, the end not included. */
export type Page = { readonly from: number; readonly to: number };

const longestMs = 1000;

/**
 * Pages as a script that draws one each second: texts that overlap are one page while they do. Comments say when each page
 * is really to be seen.
 */
export const printPages = (cues: readonly Cue[]): string => {
  const pages = pagesOf(cues);
  const drawn = pages.flatMap(({ shown }, at) =>
    shown.map((cue) => ({ ...cue, from: at * longestMs, to: (at + 1) * longestMs })),
  );
  return printAss(drawn) + pages.map(({ from, to }) => `${mark}${from} ${to}\n`).join("");
};

const mark = "Comment: 0,0:00:00.00,0:00:00.00,Default,,0,0,0,,page ";

/** The times of the pages of such a script. */
export const readPages = (script: string): Page[] =>
  script.split("\n").flatMap((line) => {
    const [from, to] = line.startsWith(mark) ? line.slice(mark.length).split(" ").map(Number) : [];
    return from !== undefined && to !== undefined ? [{ from, to }] : [];
  });

const pagesOf = (cues: readonly Cue[]): (Page & { readonly shown: readonly Cue[] })[] => {
  const times = [...new Set(cues.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const pages: (Page & { readonly shown: readonly Cue[] })[] = [];
  let next = 0;
  let shown: Cue[] = [];
  for (const [at, from] of times.entries()) {
    shown = shown.filter(({ to }) => to > from);
    for (let cue = cues[next]; cue && cue.from <= from; cue = cues[next]) {
      shown.push(cue);
      next += 1;
    }
    const to = times[at + 1];
    if (to !== undefined && shown.length > 0) pages.push({ from, to, shown: [...shown] });
  }
  return pages;
};
