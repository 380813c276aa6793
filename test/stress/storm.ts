import { setTimeout as pause } from "node:timers/promises";
import { decodeJoinToken } from "../../shared/credentials/join-token.ts";
import { type FarmProcesses, kill, startFarm, stop } from "../helpers/processes/farm-processes.ts";
import { randomFrom } from "../helpers/random/random.ts";
import { auditFarm } from "./audit.ts";
import { type Book, createBook } from "./book.ts";
import { createFakeDisk, type FakeDisk } from "./fake-disk.ts";
import { type FakeNode, startFakeNode } from "./fake-node.ts";
import { stormTags } from "./jobs.ts";
import type { FailedClaim, PriorityChange } from "./order.ts";
import { meddle, submitAll } from "./people.ts";

export type StormChoices = {
  readonly seed: number;
  readonly nodes: number;
  readonly jobs: number;
  /** How often the coordinator is killed with -9 meanwhile. */
  readonly kills: number;
  /** How long jobs come in and things go wrong. */
  readonly stormMs: number;
  /** How long the farm may take after that to end every job. */
  readonly calmMs: number;
  readonly say: (text: string) => void;
};

export type StormResult = {
  /** What should never have happened; empty when all is well. */
  readonly violations: readonly string[];
  /** How often what happened. */
  readonly counts: Readonly<Record<string, number>>;
};

export type Storm = {
  readonly choices: StormChoices;
  readonly farm: FarmProcesses;
  readonly disk: FakeDisk;
  readonly book: Book;
  /** Jobs whose id was answered: none of these may be lost. */
  readonly accepted: Set<string>;
  /** Jobs that somebody asked to delete. */
  readonly deleted: Set<string>;
  readonly priorityChanges: PriorityChange[];
  /** Claims that the disk refused so far. */
  readonly failedClaims: () => readonly FailedClaim[];
  /** Nothing goes wrong any more. */
  isCalm: boolean;
};

/** The farm's patience, so short that the troubles outlast it. */
const timing = {
  heartbeatMs: 1000,
  lateMs: 2500,
  lostMs: 5000,
  tickMs: 100,
  capabilityWaitMs: 60_000,
  commitWaitMs: 8000,
};

/** One batch of so many is refused, written without an answer, or answered late. */
const troubledBatches = 10;

const longestFreezeMs = 2 * timing.commitWaitMs;

/** Fake nodes over real sockets against a real coordinator while all kinds of things go wrong; then calm, and an audit. */
export const runStorm = async (choices: StormChoices): Promise<StormResult> => {
  const troubles = { fate: "any", every: troubledBatches, seed: choices.seed } as const;
  await using farm = await startFarm({ timing, isMortal: true, troubles });
  const [disk, book] = [createFakeDisk(), createBook()];
  const people = { accepted: new Set<string>(), deleted: new Set<string>(), priorityChanges: [] };
  const failedClaims = () =>
    farm.logged("claim failed").map(({ task, time }) => ({ taskId: Number(task), at: Date.parse(String(time)) }));
  const storm: Storm = { choices, farm, disk, book, ...people, failedClaims, isCalm: false };
  const nodes = startNodes(storm);
  await Promise.all([submitAll(storm), meddle(storm), killNowAndThen(storm)]);
  storm.isCalm = true;
  choices.say(`${storm.accepted.size} jobs are in and nothing goes wrong any more`);
  const stuck = (await untilAllEnded(storm)) ?? (await untilAllLetGo(nodes));
  for (const node of nodes) node.end();
  await stop(farm.coordinator());
  const audit = auditFarm(storm, stuck === undefined);
  const violations = [...book.violations(), ...(stuck ? [stuck] : []), ...audit.violations, ...farm.differences()];
  return { violations, counts: audit.counts };
};

const startNodes = (storm: Storm): FakeNode[] => {
  const { choices, farm, disk, book } = storm;
  const { url } = decodeJoinToken(farm.joinToken);
  return Array.from({ length: choices.nodes }, (_, index) => {
    const random = randomFrom(choices.seed + index * 7919);
    return startFakeNode({
      url,
      joinToken: farm.joinToken,
      name: `node ${index}`,
      tags: stormTags.filter((_, nth) => index % 4 === nth || index % 7 === 0),
      slots: random.integer(1, 4),
      random,
      disk,
      book,
      isCalm: () => storm.isCalm,
      frozenMs: longestFreezeMs,
      workMs: 200,
    });
  });
};

const killNowAndThen = async ({ choices, farm }: Storm): Promise<void> => {
  for (let nth = 0; nth < choices.kills; nth++) {
    await pause(choices.stormMs / (choices.kills + 1));
    choices.say(`kill -9 of the coordinator, ${nth + 1} of ${choices.kills}`);
    await kill(farm.coordinator());
    await farm.restartCoordinator();
  }
};

/** A node that stands still when the last job ends hears of it, and clears up, when it moves again. */
const untilAllLetGo = async (nodes: readonly FakeNode[]): Promise<string | undefined> => {
  const end = performance.now() + 4 * longestFreezeMs;
  for (;;) {
    const holding = nodes.filter((node) => node.holds() > 0).map(({ name }) => name);
    if (holding.length === 0) return undefined;
    if (performance.now() > end) return `all jobs have ended, and attempts are still held by ${holding.join(", ")}`;
    await pause(100);
  }
};

/** Resolves with what is left when the time is up. */
const untilAllEnded = async ({ choices, farm }: Storm): Promise<string | undefined> => {
  const end = performance.now() + choices.calmMs;
  for (;;) {
    const filters = [{ field: "status" as const, values: ["queued", "active"] }];
    const { items } = await farm.client.listJobs({ filters, fields: ["id", "status", "substatus"], take: 5 });
    const { count } = await farm.client.countJobs({ filters });
    if (count === 0) return undefined;
    if (performance.now() > end) return `${count} jobs did not end, such as ${JSON.stringify(items)}`;
    await pause(500);
  }
};
