import { readFileSync } from "node:fs";
import { type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";
import type { Attack, Random, Tally } from "../attack.ts";
import { audit } from "./audit.ts";
import { fieldLies } from "./lies.ts";
import { askAround } from "./questions.ts";
import { openStage } from "./stage.ts";
import { createStorm } from "./storm.ts";

/** Messages of one try. */
const messagesATry = 40;
/** Megabytes that the coordinator may need beyond what it needed before. */
const mostGrowth = 300;
/** Megabytes by which it may grow from a third of the messages on, if they are many. */
const mostLateGrowth = 100;
const many = 50_000;

/**
 * Nodes that lie in every field of every message, in every order and amount, beside honest nodes with work of their own
 * and with files that nobody may touch, and beside a person who looks at all of them.
 */
export const hostileNodes: Attack = {
  name: "hostile nodes",
  run: async ({ random, tries }) => {
    await using farm = await startFarm({ timing: { lostMs: 15_000, lateMs: 7500, commitWaitMs: 3000 } });
    const stage = await openStage(farm);
    const { count, print } = createCounts();
    const [begun, messages, fields] = [memoryOf(farm), tries * messagesATry, shuffled(fieldLies, random)];
    let late = begun;
    const tell = (sent: number) => {
      if (sent < messages / 3) late = Math.max(late, memoryOf(farm));
    };
    const storm = createStorm({ ...{ farm, stage, random, count, messages, tell }, nextField: () => fields.pop() });
    const runningTask = () => stage.victim.held()[0]?.taskId;
    const liars = storm.liars;
    const asked = {
      farm,
      random,
      count,
      liars,
      runningTask,
      victimId: stage.victim.nodeId(),
      jobs: () => stage.anybodys,
    };
    const person = await askAround(asked);

    const { sent, quarantined, fell } = await storm.run();

    fell.push(...(await person.end()), ...(await audit(farm, stage)));
    await stage.victim.end();

    const memory = memoryOf(farm);
    if (memory - begun > mostGrowth) fell.push(`the coordinator needs ${memory - begun} MB more than before`);
    if (messages > many && memory - late > mostLateGrowth) fell.push(`it grows: ${late} MB, then ${memory} MB`);
    if (messages > many && fields.length > 0) fell.push(`${fields.length} lies in single fields were never sent`);
    print();
    const covered = `${fieldLies.length - fields.length} of ${fieldLies.length} lies in ${fieldCount} single fields`;
    const note = `${covered}, ${quarantined} liars quarantined with a reason, memory ${begun}, ${late}, ${memory} MB, slowest submit ${stage.slowest()} ms`;
    return [{ what: "messages of liars", tried: sent, fell, note } satisfies Tally];
  },
};

const fieldCount = new Set(fieldLies.map(({ path }) => path)).size;

const shuffled = <T>(list: readonly T[], random: Random): T[] => {
  const all = [...list];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = random.integer(0, at);
    [all[at], all[other]] = [all[other] as T, all[at] as T]; // both are within the list
  }
  return all;
};

const createCounts = () => {
  const counts = new Map<string, number>();
  return {
    count: (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1),
    print: (): void => {
      for (const [what, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`  ${what}: ${count}`);
    },
  };
};

/** Megabytes of the coordinator's process. */
const memoryOf = (farm: FarmProcesses): number => {
  const status = readFileSync(`/proc/${farm.coordinator().child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
};
