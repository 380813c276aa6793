import type { Mutant } from "./mutants.ts";

/** Races that this repository's history names. */
const races: readonly Mutant[] = [
  {
    name: "a claim that comes to nothing costs its job a turn",
    aim: "batches meet a bad fate",
    file: "coordinator/attempts/assign.ts",
    find: "  farm.ready.giveBackTurn(turn);\n",
    replace: "  void turn;\n",
  },
  {
    name: "a node that lies about failures lets tasks wait twice as long each time",
    file: "coordinator/attempts/failed-attempts.ts",
    find: "const { longestBackOffMs: longestMs } = farm.config;",
    replace: "const longestMs = Number.POSITIVE_INFINITY;",
  },
  {
    name: "a folder that goes while it is listed fails the look",
    file: "agent/storage/file/reading.ts",
    find: '    if (!hasCode(error, "ENOENT")) throw error;',
    replace: "    throw error;",
  },
];

/** Watched folders. */
const watches: readonly Mutant[] = [
  {
    name: "a new coordinator has forgotten which files were taken",
    file: "coordinator/watch/watched-files.ts",
    find: "new Map(rows.map(({ uri, ...row }) => [uri, row]))",
    replace: "new Map(rows.slice(rows.length).map(({ uri, ...row }) => [uri, row]))",
  },
  {
    name: "a file is taken while it still grows",
    file: "shared/work/polling.ts",
    find: "return stillMs < settledMs ?",
    replace: "return stillMs < 0 ?",
  },
  {
    name: "nobody tells nodes of a new mount",
    file: "coordinator/routes/mounts.ts",
    find: '  farm.registry.tellAll({ type: "mounts", epoch: farm.epoch, mounts: now });\n',
    replace: "",
  },
];

/** Who goes first, and how many. */
const turns: readonly Mutant[] = [
  {
    name: "priorities count for nothing",
    file: "coordinator/schedule/order.ts",
    find: "(highest - priority) * ranks +",
    replace: "0 * (highest - priority) * ranks +",
  },
  {
    name: "the oldest job has every turn",
    file: "coordinator/schedule/round-robin.ts",
    find: "  const turn = lastTurnOf(turns);",
    replace: "  const turn = Math.min(1, lastTurnOf(turns));",
  },
  {
    name: "the limit of a tag is not looked at",
    file: "coordinator/schedule/choose.ts",
    find: "  !(full.size > 0 && needs.tags.some((tag) => full.has(tag))) &&\n",
    replace: "  full.size >= 0 &&\n",
  },
  {
    name: "tasks that are given out together are not counted against a limit",
    file: "coordinator/attempts/assign.ts",
    find: "      if (farm.values.limits.size > 0) situation.full = fullTags(farm);\n",
    replace: "",
  },
  {
    name: "jobs are not counted by their states",
    file: "coordinator/store/sqlite/write.ts",
    find: "n = n + excluded.n",
    replace: "n = n",
  },
];

/** Owners and secrets. */
const trust: readonly Mutant[] = [
  {
    name: "programs start while the owner works",
    aim: "an owner comes back",
    since: 3,
    file: "agent/process/run.ts",
    find: "    await suspension?.pass(options.signal);\n",
    replace: "",
  },
  {
    name: "a password is stored as it came",
    file: "coordinator/secrets/sealing.ts",
    find: "holdsSecrets(json) || isSealed(json) ? sealed(vault, json) : json;",
    replace: "isSealed(json) ? sealed(vault, json) : json;",
  },
  {
    name: "a program that hangs is waited for",
    file: "agent/attempt/watchdog.ts",
    find: "now - movedAt >= stallMs",
    replace: "now - movedAt >= 1000 * stallMs",
  },
];

export const sharingMutants: readonly Mutant[] = [...races, ...watches, ...turns, ...trust];
