import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { providers } from "../agent/storage/index.ts";
import { loadCommand } from "../cli/command/command.ts";
import { formatHelp, overview } from "../cli/command/help.ts";
import { commands } from "../cli/commands/index.ts";
import { audioCodecs } from "../media/elements/transcode/audio/index.ts";
import { canHold } from "../media/elements/transcode/containers/can-hold.ts";
import { containers } from "../media/elements/transcode/containers/index.ts";
import { videoCodecs } from "../media/elements/transcode/video/index.ts";
import { errorCodes } from "../shared/basics/errors.ts";
import { abilityNames, weaknesses } from "../shared/files/storage.ts";
import { causes } from "../shared/model/failure.ts";
import { attemptMachine } from "../shared/state/attempt.ts";
import { elementRunMachine } from "../shared/state/element-run.ts";
import { jobStatuses, jobSubstatuses } from "../shared/state/job.ts";
import { isFinal, type Machine, statesOf } from "../shared/state/machine.ts";
import { enrolledStates, nodeHealthMachine, nodeHealths, presences } from "../shared/state/node.ts";
import { taskMachine, taskStatus } from "../shared/state/task.ts";
import { logFields } from "../shared/texts/log-fields.ts";
import { invariants } from "../test/simulation/invariants/invariants.ts";
import { elementRows, fieldRows, sentenceRows } from "./tables/refused.ts";
import { table } from "./tables/table.ts";
import { webhookParts } from "./tables/webhooks.ts";

/**
 * The parts of these pages that are generated from the program's tables. `node docs/generate.ts` writes them between their
 * markers; `test/cli/command/docs.test.ts` fails if a page is out of date.
 */
export type Page = {
  readonly file: string;
  readonly parts: Readonly<Record<string, () => string>>;
};

const loaded = await Promise.all(commands.map(loadCommand));

export const pages: readonly Page[] = [
  { file: "api.md", parts: { "error-codes": errorTable } },
  { file: "command-line.md", parts: { overview: () => block(overview(commands, 100)), commands: commandHelp } },
  { file: "jobs/codecs.md", parts: { containers: containerTable, video: videoTable, audio: audioTable } },
  {
    file: "jobs/refused.md",
    parts: {
      fields: () => table(["field", "why"], fieldRows()),
      elements: () => table(["kind", "why"], elementRows()),
      sentences: () => table(["where", "what is said"], sentenceRows()),
    },
  },
  { file: "causes.md", parts: { causes: causeTable } },
  { file: "guarantees.md", parts: { storage: storageTable, weaker: weakerTable, invariants: invariantList } },
  { file: "webhooks.md", parts: webhookParts },
  { file: "operating.md", parts: { "log-fields": logFieldTable } },
  {
    file: "state-machines.md",
    parts: {
      job: () => list({ status: jobStatuses, substatus: jobSubstatuses }),
      element: () => machineTable(elementRunMachine),
      task: () => machineTable(taskMachine, { "in the API": (state) => taskStatus[state] }),
      attempt: () => machineTable(attemptMachine),
      node: () => list({ state: enrolledStates, presence: presences, health: nodeHealths }),
      health: () => machineTable(nodeHealthMachine),
    },
  },
];

/** The page's text with every part regenerated. Throws if a marker is missing. */
export const refresh = (text: string, { file, parts }: Page): string =>
  Object.entries(parts).reduce((page, [name, make]) => {
    const [open, close] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
    const [start, end] = [page.indexOf(open), page.indexOf(close)];
    if (start < 0 || end < start) throw new Error(`${file} has no place for "${name}": ${open} … ${close}`);
    return `${page.slice(0, start)}${open}\n\n${make()}\n${page.slice(end)}`;
  }, text);

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(([code, { status, means }]) => [`\`${code}\``, String(status), means]);
  return table(["code", "status", "means"], rows);
}

function commandHelp(): string {
  return loaded.map((each) => `## ${each.name}\n\n${block(formatHelp(each, 100))}`).join("\n");
}

const block = (text: string): string => `\`\`\`text\n${text}\`\`\`\n`;

function logFieldTable(): string {
  return table(
    ["field", "says"],
    Object.entries(logFields).map(([name, says]) => [`\`${name}\``, says]),
  );
}

function invariantList(): string {
  return `${invariants.map(({ says }) => `- ${says}`).join("\n")}\n`;
}

function storageTable(): string {
  const names = Object.keys(abilityNames) as (keyof typeof abilityNames)[]; // Object.keys forgets the names
  const rows = names.map((name) => [
    abilityNames[name],
    ...Object.values(providers).map(({ abilities }) => (abilities[name] ? "yes" : "no")),
  ]);
  return table(["storage", ...Object.keys(providers).map((name) => `\`${name}\``)], rows);
}

function weakerTable(): string {
  return table(
    ["warning", "what may have happened"],
    Object.entries(weaknesses).map(([word, means]) => [`\`${word}\``, means]),
  );
}

function causeTable(): string {
  const rows = Object.entries(causes).map(([cause, { backOff, where, blamesNode, advice }]) => [
    `\`${cause}\``,
    cause.toUpperCase(),
    backOff === 0 ? "none" : `${backOff} s`,
    { elsewhere: "another node", anywhere: "any node", nowhere: "no node" }[where],
    blamesNode ? "yes" : "no",
    advice,
  ]);
  return table(
    [
      "cause",
      "in a result",
      "added to the retry's delay",
      "the retry runs on",
      "counts against the node",
      "what to do",
    ],
    rows,
  );
}

function containerTable(): string {
  const rows = containers.map((container) => [
    container.kinds.map((kind) => `\`${kind}\``).join(", ") || (container.isImages ? "" : "`elementary`"),
    container.extensions.join(" "),
    videoCodecs.flatMap(({ name, probed }) => (canHold(container, "video", probed) ? [name] : [])).join(", "),
    soundsOf(container).join(", "),
    container.text ?? Object.keys(container.texts ?? {}).join(", "),
  ]);
  return table(["`container.kind`", "extensions", "video", "audio", "subtitles"], rows);
}

const pcmForms = ["s8", "u8", "s16le", "s16be", "s24le", "s24be", "s32le", "s32be", "s64le", "s64be"];
const otherForms = ["u16le", "u24le", "u32le", "f32le", "f32be", "f64le", "f64be"];

/** Codecs by name, uncompressed audio by sample format. */
const soundsOf = (container: (typeof containers)[number]): string[] => {
  const named = audioCodecs.filter(({ names }) => !/^(pcm|aiff)$/.test(names[0] ?? ""));
  const audio = { verify: true, enabled: true };
  const compressed = named.filter((codec) => canHold(container, "audio", codec.probed({ audio, container })));
  const forms = [...pcmForms, ...otherForms, "alaw", "mulaw", "dvd"];
  const held = forms.filter((form) => canHold(container, "audio", `pcm_${form}`));
  return [...compressed.map(({ names }) => names[0] ?? ""), ...(held.length > 0 ? [`pcm (${held.join(" ")})`] : [])];
};

function videoTable(): string {
  const rows = videoCodecs.map(({ name, encoder, scans = ["progressive"], pixelFormats, mostPasses = 1, reads }) => [
    `\`${name}\``,
    `\`${encoder}\``,
    scans.join(", "),
    pixelFormats.length > 12 ? `${pixelFormats.length} formats` : pixelFormats.join(", "),
    String(mostPasses),
    reads.join(", "),
  ]);
  return table(["`video.codec`", "encoder", "scans", "`chroma_format`", "passes", "reads"], rows);
}

function audioTable(): string {
  const rows = audioCodecs.map(({ names, maxChannels, channels, sampleRates, reads }) => [
    names.map((name) => `\`${name}\``).join(", "),
    channels ? channels.join(", ") : `1 to ${maxChannels}`,
    sampleRates ? sampleRates.join(", ") : "any",
    reads.join(", "),
  ]);
  return table(["`audio[].codec`", "channels", "sample rates", "reads"], rows);
}

type Column<State extends string> = Readonly<Record<string, (state: State) => string>>;

const machineTable = <State extends string, Event extends string>(
  machine: Machine<State, Event>,
  more: Column<State> = {},
): string => {
  const rows = statesOf(machine).map((state) => [
    `\`${state}\``,
    ...Object.values(more).map((column) => `\`${column(state)}\``),
    isFinal(machine, state) ? "final" : exitsOf(machine, state),
  ]);
  return table(["state", ...Object.keys(more), "event → next state"], rows);
};

const exitsOf = <State extends string, Event extends string>(machine: Machine<State, Event>, state: State): string =>
  Object.entries(machine[state])
    .map(([event, next]) => `${event} → \`${next}\``)
    .join(", ");

const list = (fields: Readonly<Record<string, readonly string[]>>): string =>
  table(
    ["field", "values"],
    Object.entries(fields).map(([field, values]) => [`\`${field}\``, values.map((value) => `\`${value}\``).join(", ")]),
  );

export const pathOfPage = ({ file }: Page): string => fileURLToPath(new URL(file, import.meta.url));

if (import.meta.main) {
  for (const page of pages) {
    const path = pathOfPage(page);
    writeFileSync(path, refresh(readFileSync(path, "utf8"), page));
  }
}
