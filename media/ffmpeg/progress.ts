/** ffmpeg's progress report, every half second. Unknown fields are absent. */
export type ProgressBlock = {
  readonly frame?: number;
  readonly fps?: number;
  /** Times real time. */
  readonly speed?: number;
  /** Seconds of output made. It never decreases: ffmpeg does not know it while it flushes an encoder at the end. */
  readonly outTime?: number;
  /** The last block of a process. */
  readonly done: boolean;
};

export type ProgressParser = { readonly feed: (chunk: string) => ProgressBlock[] };

/** Lines of `-progress` are much shorter than this; longer text without a line end is dropped. */
const maxLine = 4096;

const keys = new Set(["frame", "fps", "speed", "out_time_us"]);

/** Parses the key=value text of `-progress pipe:1` in pieces of any size. */
export const createProgressParser = (): ProgressParser => {
  let rest = "";
  let pairs: Record<string, string> = {};
  let reached: number | undefined;

  const readLine = (line: string): ProgressBlock[] => {
    const [key = "", value = ""] = line.split("=", 2).map((part) => part.trim());
    if (keys.has(key)) pairs[key] = value;
    if (key !== "progress") return [];
    const block = toBlock(pairs, value === "end");
    pairs = {};
    reached = furthest(reached, block.outTime);
    return [{ ...block, outTime: reached }];
  };

  return {
    feed: (chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = (lines.pop() ?? "").slice(-maxLine);
      return lines.flatMap(readLine);
    },
  };
};

const toBlock = ({ frame, fps, speed, out_time_us }: Record<string, string>, done: boolean): ProgressBlock => {
  const micros = positive(out_time_us);
  return {
    frame: positive(frame),
    fps: positive(fps),
    speed: positive(speed?.replace(/x$/, "")),
    outTime: micros === undefined ? undefined : micros / 1e6,
    done,
  };
};

const furthest = (before: number | undefined, now: number | undefined): number | undefined =>
  before === undefined || now === undefined ? (now ?? before) : Math.max(before, now);

// "N/A", nothing, and the huge negative time before the first frame all mean: not known yet.
const positive = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : undefined;
