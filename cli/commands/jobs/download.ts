import { resolve } from "node:path";
import type { Client } from "../../../shared/api/client.ts";
import type { JobOutput } from "../../../shared/api/job-outputs.ts";
import type { Clock } from "../../../shared/basics/clock.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { Call, ParsedCommand } from "../../command/command.ts";
import { type Fetched, fetchOutput } from "../../jobs/fetch-output.ts";
import { matcherOf, placeIn, relativeNames } from "../../jobs/output-names.ts";
import { progressLine } from "../../jobs/progress-line.ts";
import { textFlag } from "../../terminal/flags.ts";
import type { Output } from "../../terminal/output.ts";
import { sizeText } from "../../text/size.ts";
import { plain } from "../../text/width.ts";

/** Files at a time: packages have many small ones. */
const atOnce = 4;

/** Fetches the files that a job made. */
export const download: ParsedCommand = {
  details:
    "The nodes that have the files send them; folders that all files share are left out. A download that broke off goes on where it ended. Each file gets its name when its size and checksum are right. Files that are here already are not fetched again.",
  flags: {
    to: { type: "string", value: "FOLDER", help: "Where to put them; without it, here." },
    replace: { type: "boolean", help: "Replace other files that have the same names." },
  },
  offers: "files",
  examples: [
    ["mediafarm download 12", "fetches every file that job 12 made into this folder"],
    ["mediafarm download 12 '*.mp4' --to review", "fetches the MP4 files into the folder review"],
  ],
  exits: ["1    A file could not be fetched, or none matches", "130  Ctrl-C; the same command goes on"],
  check: (words) =>
    words.length === 1 || words.length === 2 ? undefined : "download takes one job's ID and a PATTERN",
  run: async (call) => {
    const { values, positionals, output, world, client: open } = call;
    const [id = "", pattern = "*"] = positionals;
    const client = open();
    const wanted = choose(await outputsOf(client, id), pattern);
    if (wanted.length === 0) {
      output.problem(
        positionals.length > 1 ? `Job ${id} made no file that matches ${pattern}` : `Job ${id} made no files`,
      );
      return 1;
    }
    const signal = world.interrupted();
    const folder = resolve(textFlag(values, "to") ?? ".");
    const failed = await fetchAll(wanted, { client, folder, signal, call });
    if (!signal.aborted) return failed === 0 ? 0 : 1;
    output.problem("Stopped. The same command goes on where it ended.");
    return 130;
  },
};

type Wanted = { readonly output: JobOutput; readonly name: string };

const outputsOf = async (client: Client, jobId: string): Promise<JobOutput[]> => {
  const all: JobOutput[] = [];
  for (;;) {
    const { items, count } = await client.listOutputs({ job_id: jobId, skip: all.length, take: 1000 });
    all.push(...items);
    if (items.length === 0 || all.length >= count) return all;
  }
};

/** A file that was made twice is the later one. */
const choose = (outputs: readonly JobOutput[], pattern: string): Wanted[] => {
  const byUri = new Map(outputs.map((output) => [output.uri, output]));
  const names = relativeNames([...byUri.keys()]);
  const matches = matcherOf(pattern);
  return [...byUri].flatMap(([uri, output]) => {
    const name = names.get(uri) ?? "";
    return matches(name) ? [{ output, name }] : [];
  });
};

type All = {
  readonly client: Client;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly call: Pick<Call, "output" | "world" | "values">;
};

/** Resolves with how many could not be fetched. */
const fetchAll = async (wanted: readonly Wanted[], { client, folder, signal, call }: All): Promise<number> => {
  const { output, world, values } = call;
  const total = wanted.reduce((sum, each) => sum + (each.output.size ?? 0), 0);
  const bar = createBar(output, world.clock, total);
  let [next, failed] = [0, 0];
  const fetchNext = async (): Promise<void> => {
    for (let each = wanted[next++]; each && !signal.aborted; each = wanted[next++]) {
      const { uri, size, checksum } = each.output;
      try {
        const path = placeIn(folder, each.name);
        const needs = { client, clock: world.clock, signal, mayReplace: values.replace === true, onBytes: bar.add };
        const how = await fetchOutput(each.output, path, needs);
        bar.clear();
        output.answer({ uri, path, size, checksum, state: how }, `${lineOf(path, each.output, how)}\n`);
      } catch (problem) {
        bar.clear();
        if (signal.aborted) return;
        failed += 1;
        output.problem(`${plain(each.name)}: ${messageOf(problem)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, fetchNext));
  bar.clear();
  return failed;
};

const lineOf = (path: string, { size, checksum }: JobOutput, how: Fetched): string =>
  [plain(path), sizeText(size ?? undefined), checksum === null ? "size is right" : "checksum is right", how].join("  ");

const everyMs = 200;

const createBar = (output: Output, clock: Clock, total: number) => {
  const begun = clock.monotonic();
  let [done, shown] = [0, Number.NEGATIVE_INFINITY];
  return {
    add: (more: number): void => {
      done += more;
      const now = clock.monotonic();
      if (!output.isLive || now - shown < everyMs) return;
      shown = now;
      const elapsed = (now - begun) / 1000;
      const percent = total === 0 ? 0 : (done / total) * 100;
      const note = `${sizeText(done)} of ${sizeText(total)}`;
      output.live(progressLine({ percent, elapsed, fps: undefined, note, columns: output.columns }));
    },
    clear: (): void => {
      if (output.isLive) output.live("");
    },
  };
};
