import { t } from "@lingui/core/macro";
import type { AttemptRecord } from "../../../../shared/model/attempt.ts";
import type { Node } from "../../../../shared/model/node.ts";
import { translated } from "../../../language/words.ts";
import { bytes, number, span } from "../../../ui/text/format.ts";

/** What two attempts have in common, or not. */
export type Difference = {
  readonly what: string;
  readonly values: readonly [string, string];
  readonly isSame: boolean;
};

/** Node, tools, commands, cost and end of two attempts, in this order; what neither tells is left out. */
export const compareAttempts = (
  pair: readonly [AttemptRecord, AttemptRecord],
  nodes: readonly Node[],
): readonly Difference[] => {
  const rows = ([what, read]: Row): Difference[] => {
    const [one, other] = [read(pair[0], nodes), read(pair[1], nodes)];
    return one === "" && other === "" ? [] : [{ what, values: [one || "–", other || "–"], isSame: one === other }];
  };
  return table().flatMap(rows);
};

type Row = readonly [what: string, read: (attempt: AttemptRecord, nodes: readonly Node[]) => string];

const table = (): readonly Row[] => [
  [t`Node`, ({ node }) => node ?? t`a deleted node`],
  [t`Machine`, ({ node }, nodes) => machineOf(nodes.find(({ name }) => name === node))],
  [t`ffmpeg there now`, ({ node }, nodes) => nodes.find(({ name }) => name === node)?.ffmpeg?.version ?? ""],
  [
    t`End`,
    ({ state, failure }) => (failure ? `${translated(state)}: ${failure.message.slice(0, 300)}` : translated(state)),
  ],
  [t`Took`, ({ cost, assigned, ended }) => secondsOf(cost?.wall_ms ?? timeBetween(assigned, ended))],
  [t`Processor`, ({ cost }) => secondsOf(cost?.cpu_ms ?? undefined)],
  [t`Memory`, ({ cost }) => (cost?.peak_memory == null ? "" : bytes(cost.peak_memory))],
  [t`Speed`, ({ log, reached }) => lastSpeedIn(log) || toldSpeed(reached)],
  [t`Came to`, ({ reached }) => (reached?.percent == null ? "" : `${number(reached.percent)} %`)],
  [t`Commands`, ({ log }) => commandsIn(log).join("\n")],
];

const machineOf = (node: Node | undefined): string =>
  node ? [node.machine.cpu, t`${node.machine.cores} cores`, bytes(node.machine.memory)].filter(Boolean).join(", ") : "";

const timeBetween = (from: string, to: string | null): number | undefined =>
  to === null ? undefined : Date.parse(to) - Date.parse(from);

const secondsOf = (ms: number | undefined): string => {
  if (ms === undefined) return "";
  return ms < 100_000 ? t`${number(ms / 1000, 1)} s` : span(ms);
};

/** Each command of an attempt stands in its log behind a dollar sign. */
const commandsIn = (log: string): string[] =>
  log.split("\n").flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : []));

/** ffmpeg's own figure, such as 3.2x. */
const lastSpeedIn = (log: string): string => [...log.matchAll(/speed=\s*([\d.]+x)/g)].at(-1)?.[1] ?? "";

/** Of an attempt that ended without a word: as its node said it last. */
const toldSpeed = (reached: AttemptRecord["reached"]): string =>
  reached?.speed == null ? "" : `${number(reached.speed, 2)}x`;
