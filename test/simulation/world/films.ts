import { createHash } from "node:crypto";

/** The bytes by which a file is known for media. */
export const mediaStart = "\0\0\0\x18ftypisom";

/** The same of sound. */
export const soundStart = "RIFF\x24\0\0\0WAVEfmt ";

/** Seconds of a master, one after the other, that a simulated film shows. `of`: the master by its bytes. */
export type Part = { readonly of: string; readonly from: number; readonly to: number };
export type Film = readonly Part[];

export const masterSeconds = 10;
export const framesPerSecond = 25;

const mark = `${mediaStart}\nfilm `;
const end = "\nend of film\n";

/** Joins what plays on. */
export const bytesOfFilm = (film: Film): Buffer => {
  const joined: Part[] = [];
  for (const part of film) {
    const last = joined.at(-1);
    if (last?.of === part.of && last.to === part.from) joined[joined.length - 1] = { ...last, to: part.to };
    else joined.push(part);
  }
  return Buffer.from(mark + JSON.stringify(joined) + end);
};

/** What a file shows: every other media file is a master. Undefined: it is no media, or it is not whole. */
export const filmOf = (bytes: Buffer): Film | undefined => {
  const text = bytes.toString("latin1");
  if (!text.startsWith(mediaStart) && !text.startsWith(soundStart)) return undefined;
  if (!text.startsWith(mark)) {
    const of = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    return [{ of, from: 0, to: masterSeconds }];
  }
  return text.endsWith(end) ? JSON.parse(text.slice(mark.length, -end.length)) : undefined;
};

export const secondsOf = (film: Film): number => rounded(film.reduce((sum, { from, to }) => sum + to - from, 0));

/** Its pictures from one second up to another. */
export const cutOf = (film: Film, from: number, to: number): Film => {
  let at = 0;
  return film.flatMap(({ of, from: first, to: last }) => {
    const begin = at;
    at += last - first;
    const [low, high] = [Math.max(from, begin), Math.min(to, at)];
    return low < high ? [{ of, from: rounded(first + low - begin), to: rounded(first + high - begin) }] : [];
  });
};

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
