import { fsPromises } from "../system/fs-promises.ts";
import type { Program, ProgramNeeds } from "../system/programs.ts";
import { bytesOfFilm, cutOf, type Film, filmOf, framesPerSecond, secondsOf } from "./films.ts";

/** What the simulated ffprobe says of a film. */
const factsOf = (film: Film) => {
  const seconds = secondsOf(film);
  const rate = `${framesPerSecond}/1`;
  const times = { start_time: "0.000000", duration: seconds.toFixed(6) };
  const video = {
    ...{ index: 0, codec_type: "video", codec_name: "h264", width: 320, height: 180, pix_fmt: "yuv420p" },
    ...{ time_base: "1/12800", start_pts: 0, duration_ts: Math.round(seconds * 12_800), field_order: "progressive" },
    ...{ r_frame_rate: rate, avg_frame_rate: rate, nb_frames: String(Math.round(seconds * framesPerSecond)) },
    ...{ sample_aspect_ratio: "1:1", ...times },
  };
  const format = { format_name: "mov,mp4,m4a,3gp,3g2,mj2", ...times };
  return { streams: [video], format, frames: [{ stream_index: 0, interlaced_frame: 0 }] };
};

const filmAt = async (path: string): Promise<Film | undefined> => filmOf((await fsPromises.readFile(path)) as Buffer); // without an encoding

const ffprobe: Program = async ({ args, stdout, stderr, sleep, random }) => {
  if (args[0] === "-version") return said(stdout, "ffprobe version 7.0-simulated Copyright\nconfiguration: --none\n");
  const path = args.at(-1) ?? "";
  const film = await filmAt(path).catch(() => undefined);
  await sleep(random.wait(30));
  if (film) return said(stdout, JSON.stringify(factsOf(film)));
  stderr(`${path}: Invalid data found when processing input\n`);
  return 1;
};

const filters = ["null", "scale", "format", "setsar", "setparams", "trim", "fps", "setpts"];

const lists: Readonly<Record<string, string>> = {
  "-version": "ffmpeg version 7.0-simulated Copyright\nconfiguration: --none\n",
  "-encoders": "Encoders:\n V..... = Video\n ------\n V....D libx264   H.264\n A....D aac   AAC\n",
  "-filters": `Filters:\n  T.. = Timeline\n${filters.map((name) => ` ..C ${name}   V->V   A filter\n`).join("")}`,
  "-muxers": "Formats:\n ---\n  E  mov,mp4   QuickTime\n",
};

const ffmpeg: Program = async (needs) => {
  const { args, stdout, stderr } = needs;
  const list = lists[args.find((each) => each in lists) ?? ""];
  if (list !== undefined) return said(stdout, list);
  if (args.includes("-i")) return encode(needs);
  stderr("Unrecognized option\n");
  return 8;
};

/** How many pieces a film is written in. */
const pieces = 4;

const encode = async ({
  args,
  stdout,
  stderr,
  sleep,
  random,
  failures,
  hearNothing,
}: ProgramNeeds): Promise<number> => {
  const wrong = random.chance(failures) ? random.one(wrongs) : undefined;
  try {
    const film = await filmMade(args);
    const whole = bytesOfFilm(wrong === "it ends too early" ? cutOf(film, 0, secondsOf(film) - 1) : film);
    const made = wrong === "it makes what is no film" ? random.bytes(whole.length) : whole;
    if (wrong === "it makes nothing") return 0;
    if (wrong === "it hears no signal") hearNothing();
    const output = args.at(-1) ?? "";
    await fsPromises.writeFile(output, "");
    for (let piece = 0; piece < pieces; piece += 1) {
      await sleep(random.wait(300));
      const [from, to] = [piece, piece + 1].map((nr) => Math.round((nr * made.length) / pieces));
      await fsPromises.appendFile(output, made.subarray(from, to));
      stdout(`frame=${piece}\nout_time_us=${piece * 1_000_000}\nspeed=2x\nprogress=continue\n`);
      if (hangs.has(wrong) && piece === 1) await new Promise(() => undefined);
      if (wrong === "it fails midway" && piece === 1) throw new Error("Cannot allocate memory");
    }
    stdout("progress=end\n");
    return 0;
  } catch (problem) {
    stderr(`${wordsOf(problem)}\n`);
    return 1;
  }
};

const wrongs = [
  ...["it fails midway", "it makes nothing", "it ends too early", "it makes what is no film"],
  ...["it hangs", "it hears no signal"],
] as const;
const hangs: ReadonlySet<string | undefined> = new Set(["it hangs", "it hears no signal"]);

/** What the arguments ask for: a list of films, one after the other, or the seconds that a filter lets pass. */
const filmMade = async (args: readonly string[]): Promise<Film> => {
  const listed = args.findIndex((word, at) => word === "-f" && args[at + 1] === "concat");
  if (listed >= 0) {
    const list = String(await fsPromises.readFile(args[listed + 3] ?? "", "utf8"));
    const films: Film[] = [];
    for (const [, path = ""] of list.matchAll(/^file '(.*)'$/gm)) films.push(await readable(path));
    return films.flat();
  }
  const film = await readable(args[args.indexOf("-i") + 1] ?? "");
  const trim = /trim=start=(-?[\d.]+)(?::end=([\d.]+))?/.exec(args.join(" "));
  return trim ? cutOf(film, atFrame(trim[1] ?? "0"), trim[2] ? atFrame(trim[2]) : secondsOf(film)) : film;
};

/** The limits of a filter lie a quarter of a frame before the picture that is meant. */
const atFrame = (text: string): number => Math.round((Number(text) + 0.25 / framesPerSecond) * 1000) / 1000;

const readable = async (path: string): Promise<Film> => {
  const film = await filmAt(path);
  if (!film) throw new Error(`Error opening input: ${path}: Invalid data found when processing input`);
  return film;
};

/** As ffmpeg says it. */
const texts: Readonly<Record<string, string>> = {
  ENOSPC: "No space left on device",
  EROFS: "Read-only file system",
  EIO: "Input/output error",
  ENOENT: "No such file or directory",
};

const wordsOf = (problem: unknown): string => {
  const { code = "", message } = problem as NodeJS.ErrnoException; // thrown above, or by a simulated disk
  return texts[code] ?? message;
};

/** `test -r PATH` */
const test: Program = async ({ args }) =>
  fsPromises.stat(args.at(-1) ?? "").then(
    () => 0,
    () => 1,
  );

const said = (stdout: (text: string) => void, text: string): number => {
  stdout(text);
  return 0;
};

export const programs: ReadonlyMap<string, Program> = new Map([
  ["/usr/bin/ffmpeg", ffmpeg],
  ["/usr/bin/ffprobe", ffprobe],
  ["test", test],
  ["true", async () => 0],
]);
