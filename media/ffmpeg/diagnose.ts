import type { Cause } from "../../shared/model/failure.ts";

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

const rule = (cause: Cause, when: RegExp, message: string): Rule => ({ cause, when, message });

/** The first rule that matches the log wins. `$1` is what the pattern captured: a file, an encoder, an option. */
const rules: readonly Rule[] = [
  rule(
    "machine",
    /^\[info\] Exiting normally, received signal \d+|^Received > 3 system signals/m,
    "Another process stopped the tool",
  ),
  rule("resources", /No space left on device|Disk quota exceeded/i, "The disk is full"),
  rule("resources", /Cannot allocate memory|malloc of size|Out of memory/i, "Memory ran out"),
  rule("resources", /Too many open files/i, "The node has too many files open"),
  rule("storage", /Read-only file system/i, "The folder cannot be written to: it is read-only"),
  rule(
    "storage",
    /Failed to resolve hostname|Connection (?:refused|reset|timed out)|(?:Network|Host) is unreachable|No route to host/i,
    "A network location cannot be reached",
  ),
  rule("storage", /Stale file handle|Transport endpoint|Host is down/i, "The network folder is no longer available"),
  rule("storage", /(?:Input\/output error|I\/O error)/i, "Reading or writing a file failed"),
  rule("storage", /Permission denied/i, "A file may not be read or written: permission denied"),
  rule("capability", /Unknown encoder '([^']+)'/i, "This ffmpeg has no encoder $1"),
  rule("capability", /Unknown decoder '([^']+)'/i, "This ffmpeg has no decoder $1"),
  rule("capability", /No such filter: '([^']+)'/i, "This ffmpeg has no filter $1"),
  rule("capability", /Requested output format '([^']+)' is not/i, "This ffmpeg cannot write $1"),
  rule("capability", /Unrecognized option '([^']+)'/i, "This ffmpeg does not know the option $1"),
  rule(
    "capability",
    /(?:Option|Error applying option) '?([\w-]+)'? (?:to filter '\w+': Option )?not found/i,
    "This ffmpeg does not know the option $1",
  ),
  rule(
    "capability",
    /Cannot load (lib(?:cuda|nvidia|mfx|vpl|va)\S*)|No (?:VA display|capable devices) found|Device creation failed/i,
    "This node's graphics card or its driver cannot be used",
  ),
  rule("capability", /Decoder \(codec (\w+)\) not found/i, "This ffmpeg cannot decode $1"),
  rule("capability", /No decoder (?:could be )?found for:? (\w+)/i, "This ffmpeg cannot decode $1"),
  rule("source", /Format not on whitelist/i, "The source refers to other files; such files are not opened"),
  rule(
    "source",
    /Protocol '(\w+)' not on whitelist/i,
    "The source refers to another location ($1), which is not opened",
  ),
  rule("source", /moov atom not found/i, "The source is cut short or still being written: its index is missing"),
  rule("source", /Error opening input:? No such file or directory/i, "The source does not exist"),
  rule("source", /Error opening input:? Is a directory/i, "The source is a folder"),
  rule("storage", /Is a directory/i, "A folder has the name of an output file"),
  rule("definition", /File name too long/i, "The name of a file is too long"),
  rule("storage", /No such file or directory/i, "A file or folder does not exist"),
  rule("source", /Error opening input[^\n]*Invalid data found/i, "The source is damaged or not a media file"),
  rule("definition", /matches no streams/i, "The source lacks a stream that the target needs"),
  rule("definition", /(?:width|height) not divisible by 2/i, "The encoder needs even width and height"),
  rule(
    "definition",
    /(Error setting profile [^\n]*|Possible profiles:[^\n]*)/i,
    "The encoder rejects this profile for the picture format",
  ),
  rule("definition", /Error setting preset\/tune (\w+)/i, "The encoder has no preset $1"),
  rule("definition", /Picture size (\d+x\d+) is invalid/i, "The encoder does not support pictures of $1"),
  rule(
    "definition",
    /Specified channel layout '([^']+)' is not supported/i,
    "The encoder does not support the channels $1",
  ),
  rule("definition", /Error parsing option '?([\w-]+)/i, "The encoder rejects the value of $1"),
  rule(
    "definition",
    /Unable to parse option value|Undefined constant or missing '\('/i,
    "The encoder rejects one of the target's values",
  ),
  rule("definition", /Could not find tag for codec (\w+)/i, "The container cannot hold $1"),
  rule("definition", /Error initializing filters?\b/i, "A filter rejects its values"),
  rule("definition", /Error while opening encoder/i, "The encoder rejects the target's settings"),
  rule("media", /Invalid data found when processing input/i, "The source is damaged or cut short"),
  rule("media", /Conversion failed!/i, "The media could not be converted"),
];

/** Signals which mean that the process was killed from outside. */
const signals: Readonly<Record<string, Diagnosis>> = {
  SIGKILL: { cause: "resources", message: "The system killed the tool, most likely because memory ran out" },
  SIGTERM: { cause: "machine", message: "Another process stopped the tool" },
  SIGINT: { cause: "machine", message: "Another process interrupted the tool" },
  SIGHUP: { cause: "machine", message: "The tool was ended with the session it ran in" },
  SIGXFSZ: { cause: "resources", message: "The output grew larger than the node allows" },
};

/** Why a tool failed, in one sentence for people. What the tool itself said stands in the log, not here. */
export const diagnose = ({ args, exitCode, signal, stderr }: ToolEnd): Diagnosis => {
  const bySignal = signal === null ? undefined : signals[signal];
  if (bySignal) return bySignal;
  if (signal !== null) return { cause: "media", message: `The tool crashed (${signal}) on this media` };
  const said = inRecentWords(stderr, args);
  const rule = rules.find(({ when }) => when.test(said));
  if (rule) return { cause: rule.cause, message: withCaught(rule, said) };
  if (exitCode === 137)
    return { cause: "resources", message: "The tool was killed, most likely because memory ran out" };
  return { cause: "media", message: `The tool failed with exit code ${exitCode}: the end of its log says why` };
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
  return shortLines(stderr).map(reworded).join("\n");
};

/** ffmpeg writes no longer ones; names and tags of foreign files may be in them. */
const mostOfLine = 2000;

const shortLines = (stderr: string): string[] => stderr.split("\n").map((line) => line.slice(0, mostOfLine));

const withCaught = ({ when, message }: Rule, stderr: string): string =>
  message.replace("$1", () => when.exec(stderr)?.[1] ?? "");
