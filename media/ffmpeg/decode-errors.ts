/**
 * The allowed number of damaged frames; `most` counts all of them, `inARow` consecutive ones. `begun` packets may be
 * refused before the first frame, because reading began within them.
 */
export type DecodeLimits = { readonly most?: number; readonly inARow?: number; readonly begun?: number };

export type DecodeWatch = {
  /** Takes ffmpeg's output in pieces of any size; returns what to log, and why the limit was exceeded once it is. */
  readonly feed: (chunk: string, frame: number) => { readonly log: string; readonly problem: string | undefined };
};

/** `inARow` needs this: ffmpeg then reports every decoded frame. */
export const decodeWatchArgs = ({ inARow }: DecodeLimits): string[] => (inARow === undefined ? [] : ["-debug_ts"]);

type Counts = {
  partial: number;
  refused: number;
  corrupt: number;
  concealed: number;
  row: number;
  /** The longest row so far: a good frame after it may arrive in the same piece. */
  longest: number;
  isBad: boolean;
  isOld: boolean;
  kind: string;
};

/**
 * A decode error is a packet that a decoder refused, or a frame that it marked as damaged or repaired. ffmpeg continues
 * after all of them and exits with 0: only its log reports them. Damage that a decoder does not notice cannot be
 * counted.
 */
export const createDecodeWatch = (limits: DecodeLimits): DecodeWatch => {
  const counts: Counts = {
    partial: 0,
    refused: 0,
    corrupt: 0,
    concealed: 0,
    row: 0,
    longest: 0,
    isBad: false,
    isOld: false,
    kind: "video",
  };
  let rest = "";
  return {
    feed: (chunk, frame) => {
      const lines = (rest + chunk).replace(glued, "$1\n[info] ").split("\n");
      rest = (lines.pop() ?? "").slice(-4096);
      const kept = lines.filter((line) => !take(line, counts, frame === 0 ? limits.begun : 0));
      const problem = problemOf(counts, limits, frame);
      return { log: kept.map((line) => `${line}\n`).join(""), problem };
    },
  };
};

// Tags of a file are printed as [info], so they cannot forge any of these.
const corrupt =
  /^(?:\[\w+#\S+ @ \w+\] )?(?:\[dec:\S+ @ \w+\] )?\[warning\] (?:.*: )?corrupt decoded frame(?: in stream \d+)?\s*$/;
const refused =
  /^(?:\[(\w)ist#\S+ @ \w+\] )?(?:\[dec:\S+ @ \w+\] )?\[error\] (?:Error while decoding stream|Error submitting packet to decoder|Decoding error)/;
const concealed = /^\[\w+ @ \w+\] \[info\] concealing \d+ DC, \d+ AC, \d+ MV errors/;
const damagedJpeg = /^\[mjpeg @ \w+\] \[error\] error y=/;
const stamp = /\[info\] (?:demuxer|demuxer\+\w+|decoder|filter|filter_raw|encoder|muxer) (?:->|<-) /;
const decoded = /\[info\] decoder -> /;

/** Another thread of ffmpeg writes between this line and its end. */
const glued = /(cpb: bitrate max\/min\/avg: [\d/]+ buffer size: \d+ vbv_delay: (?:N\/A|\d+))(?=decoder -> )/;

/** Counts a line; true if the line should not appear in the log. */
const take = (line: string, counts: Counts, begun = 0): boolean => {
  if (corrupt.test(line)) {
    counts.corrupt += 1;
    bad(counts);
    counts.isBad = true; // the frame that it refers to is reported next
    return false;
  }
  const packet = refused.exec(line);
  if (packet && counts.partial < begun) {
    counts.partial += 1;
    return false;
  }
  if (packet) {
    counts.refused += 1;
    counts.kind = packet[1] === "a" ? "audio" : "video";
    bad(counts);
    return false;
  }
  if (concealed.test(line) || damagedJpeg.test(line)) {
    counts.concealed += 1;
    // Recent builds also mark the frame; older ones, which number streams differently, only repair it.
    if (counts.isOld) bad(counts);
  }
  if (!stamp.test(line)) return false;
  if (decoded.test(line)) {
    if (!counts.isBad) counts.row = 0;
    counts.isBad = false;
    counts.isOld = line.includes("ist_index:");
  }
  return true;
};

const bad = (counts: Counts): void => {
  counts.row += 1;
  counts.longest = Math.max(counts.longest, counts.row);
};

// Most decoders also mark a repaired frame as corrupt: the two are not added up.
const allOf = ({ refused: packets, corrupt: marked, concealed: mended }: Counts) => packets + Math.max(marked, mended);

const problemOf = (counts: Counts, { most, inARow }: DecodeLimits, frame: number): string | undefined => {
  const all = allOf(counts);
  // A job that limits only consecutive errors does not limit the total.
  const limit = most ?? (inARow === undefined ? 0 : Number.POSITIVE_INFINITY);
  if (all > limit) return text(counts.kind, `too many errors (${all})`, frame);
  return inARow !== undefined && counts.longest > inARow
    ? text(counts.kind, `too many sequential errors (${counts.longest})`, frame)
    : undefined;
};

const text = (kind: string, what: string, frame: number) =>
  `pipeline error: OTT::${kind} decode error: ${what} at ${frame}`;
