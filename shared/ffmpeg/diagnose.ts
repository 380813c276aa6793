import type { Cause } from "../causes.ts";

/** The result of an ffmpeg or ffprobe process. */
export type ToolEnd = {
  /** Its arguments, without its own name. */
  readonly args: readonly string[];
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Its last output. */
  readonly stderr: string;
};

export type Diagnosis = { readonly cause: Cause; readonly message: string };

type Rule = { readonly when: RegExp; readonly cause: Cause; readonly message: string };

/** The first rule that matches the log wins. `$1` is what the pattern captured: a file, an encoder, an option. */
const rules: readonly Rule[] = [
  {
    when: /^\[info\] Exiting normally, received signal \d+|^Received > 3 system signals/m,
    cause: "machine",
    message: "Another process stopped the tool",
  },
  { when: /No space left on device|Disk quota exceeded/i, cause: "resources", message: "The disk is full" },
  { when: /Cannot allocate memory|malloc of size|Out of memory/i, cause: "resources", message: "Memory ran out" },
  { when: /Too many open files/i, cause: "resources", message: "The node has too many files open" },
  { when: /Read-only file system/i, cause: "storage", message: "The folder cannot be written to: it is read-only" },
  {
    when: /Failed to resolve hostname|Connection (?:refused|reset|timed out)|(?:Network|Host) is unreachable|No route to host/i,
    cause: "storage",
    message: "A network location cannot be reached",
  },
  {
    when: /Stale file handle|Transport endpoint|Host is down/i,
    cause: "storage",
    message: "The network folder is no longer available",
  },
  { when: /(?:Input\/output error|I\/O error)/i, cause: "storage", message: "Reading or writing a file failed" },
  { when: /Permission denied/i, cause: "storage", message: "A file may not be read or written: permission denied" },
  { when: /Unknown encoder '([^']+)'/i, cause: "capability", message: "This ffmpeg has no encoder $1" },
  { when: /Unknown decoder '([^']+)'/i, cause: "capability", message: "This ffmpeg has no decoder $1" },
  { when: /No such filter: '([^']+)'/i, cause: "capability", message: "This ffmpeg has no filter $1" },
  { when: /Requested output format '([^']+)' is not/i, cause: "capability", message: "This ffmpeg cannot write $1" },
  { when: /Unrecognized option '([^']+)'/i, cause: "capability", message: "This ffmpeg does not know the option $1" },
  {
    when: /(?:Option|Error applying option) '?([\w-]+)'? (?:to filter '\w+': Option )?not found/i,
    cause: "capability",
    message: "This ffmpeg does not know the option $1",
  },
  {
    when: /Cannot load (lib(?:cuda|nvidia|mfx|vpl|va)\S*)|No (?:VA display|capable devices) found|Device creation failed/i,
    cause: "capability",
    message: "This node's graphics card or its driver cannot be used",
  },
  { when: /Decoder \(codec (\w+)\) not found/i, cause: "capability", message: "This ffmpeg cannot decode $1" },
  { when: /No decoder (?:could be )?found for:? (\w+)/i, cause: "capability", message: "This ffmpeg cannot decode $1" },
  {
    when: /Format not on whitelist/i,
    cause: "source",
    message: "The source refers to other files; such files are not opened",
  },
  {
    when: /Protocol '(\w+)' not on whitelist/i,
    cause: "source",
    message: "The source refers to another location ($1), which is not opened",
  },
  {
    when: /moov atom not found/i,
    cause: "source",
    message: "The source is cut short or still being written: its index is missing",
  },
  { when: /Error opening input:? No such file or directory/i, cause: "source", message: "The source does not exist" },
  { when: /Error opening input:? Is a directory/i, cause: "source", message: "The source is a folder" },
  { when: /Is a directory/i, cause: "storage", message: "A folder has the name of an output file" },
  { when: /File name too long/i, cause: "definition", message: "The name of a file is too long" },
  { when: /No such file or directory/i, cause: "storage", message: "A file or folder does not exist" },
  {
    when: /Error opening input(?: file [^\n]*)?[^\n]*Invalid data found/i,
    cause: "source",
    message: "The source is damaged or not a media file",
  },
  { when: /matches no streams/i, cause: "definition", message: "The source lacks a stream that the target needs" },
  {
    when: /(?:width|height) not divisible by 2/i,
    cause: "definition",
    message: "The encoder needs even width and height",
  },
  {
    when: /(Error setting profile [^\n]*|Possible profiles:[^\n]*)/i,
    cause: "definition",
    message: "The encoder rejects this profile for the picture format",
  },
  { when: /Error setting preset\/tune (\w+)/i, cause: "definition", message: "The encoder has no preset $1" },
  {
    when: /Picture size (\d+x\d+) is invalid/i,
    cause: "definition",
    message: "The encoder does not support pictures of $1",
  },
  {
    when: /Specified channel layout '([^']+)' is not supported/i,
    cause: "definition",
    message: "The encoder does not support the channels $1",
  },
  { when: /Error parsing option '?([\w-]+)/i, cause: "definition", message: "The encoder rejects the value of $1" },
  {
    when: /Unable to parse option value|Undefined constant or missing '\('/i,
    cause: "definition",
    message: "The encoder rejects one of the target's values",
  },
  { when: /Could not find tag for codec (\w+)/i, cause: "definition", message: "The container cannot hold $1" },
  { when: /Error initializing filters?\b/i, cause: "definition", message: "A filter rejects its values" },
  {
    when: /^\[\w+ @ \w+\] \[(?:error|fatal)\] ([^\n]{1,200})(?:\n[^\n]*){0,3}?Error while opening encoder/m,
    cause: "definition",
    message: "The encoder rejects the target's settings: $1",
  },
  {
    when: /Error while opening encoder/i,
    cause: "definition",
    message: "The encoder rejects the target's settings",
  },
  { when: /Invalid data found when processing input/i, cause: "media", message: "The source is damaged or cut short" },
  { when: /Conversion failed!/i, cause: "media", message: "The media could not be converted" },
];

/** Signals which mean that the process was killed from outside. */
const signals: Readonly<Record<string, Diagnosis>> = {
  SIGKILL: { cause: "resources", message: "The system killed the tool, most likely because memory ran out" },
  SIGTERM: { cause: "machine", message: "Another process stopped the tool" },
  SIGINT: { cause: "machine", message: "Another process interrupted the tool" },
  SIGHUP: { cause: "machine", message: "The tool was ended with the session it ran in" },
  SIGXFSZ: { cause: "resources", message: "The output grew larger than the node allows" },
};

/** Why a tool failed, in one sentence for people. */
export const diagnose = ({ args, exitCode, signal, stderr }: ToolEnd): Diagnosis => {
  const bySignal = signal === null ? undefined : signals[signal];
  if (bySignal) return bySignal;
  if (signal !== null) return { cause: "media", message: `The tool crashed (${signal}) on this media` };
  const said = inRecentWords(stderr, args);
  const rule = rules.find(({ when }) => when.test(said));
  if (rule) return { cause: rule.cause, message: withCaught(rule, said) };
  if (exitCode === 137)
    return { cause: "resources", message: "The tool was killed, most likely because memory ran out" };
  const words = lastError(stderr);
  return { cause: "media", message: `The tool failed with exit code ${exitCode}${words && `: ${words}`}` };
};

/**
 * Whether a file could not be read or written to its end although ffmpeg exited with 0: recent builds do so when
 * reading fails midway, older ones also when the disk fills up at the end.
 */
export const brokeOff = (stderr: string, args: readonly string[]): boolean => breaks.test(inRecentWords(stderr, args));

const goneAway = "Input/output error|Stale file handle|Transport endpoint|Host is down|No such device";
const breaks = new RegExp(
  `^(?:\\[\\S+ @ \\w+\\] )?\\[error\\] Error (?:${[
    "writing trailer",
    "closing file",
    `(?:during demuxing|opening input): (?:${goneAway})`,
  ].join("|")})`,
  "m",
);

/** Builds before 6.1 name a file that cannot be opened, but not whether for reading or writing. */
const inRecentWords = (stderr: string, args: readonly string[]): string => {
  const inputs = args.filter((_, index) => args[index - 1] === "-i");
  const reworded = (line: string): string => {
    const said = line.replace(/^\[error\] /, "");
    const input = inputs.find((path) => said.startsWith(`${path}: `));
    const words = input === undefined ? "" : said.slice(input.length + 2);
    return /^[A-Z][^:]*$/.test(words) ? `[error] Error opening input: ${words}` : line;
  };
  return stderr.split("\n").map(reworded).join("\n");
};

const withCaught = ({ when, message }: Rule, stderr: string): string =>
  message.replace("$1", () => when.exec(stderr)?.[1] ?? "");

const lastError = (stderr: string): string => {
  const lines = stderr.split("\n").map((line) => line.trim());
  const line = lines.findLast((each) => /\[(error|fatal)\]/.test(each)) ?? lines.findLast(Boolean) ?? "";
  return line.replaceAll(/\[[^\]]*\]\s*/g, "").slice(0, 300);
};
