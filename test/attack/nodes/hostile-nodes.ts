import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";
import type { Attack, Random, Tally } from "../attack.ts";
import { audit } from "./audit.ts";
import { type FieldLie, fieldLies } from "./lies.ts";
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
  run: async ({ random, tries, part = { nr: 0, of: 1 } }) => {
    const [messages, lies] = [tries * messagesATry, fieldLies.filter((_, nr) => nr % part.of === part.nr)];
    // What samples the stack for an hour needs memory of its own.
    await using farm = await startFarm({ isUnwatched: messages > many });
    const stage = await openStage(farm);
    const { count, print } = createCounts();
    const [begun, fields] = [memoryOf(farm), shuffled(lies, random)];
    const [kitBegun, usedBegun] = [ownMemory(), usedOf(farm)];
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
      watch: stage.watch,
      jobs: () => stage.anybodys,
    };
    const person = await askAround(asked);

    const { sent, lives, quarantined, fell } = await storm.run();
    const [kitUsed, farmUsed] = usedOf(farm).map((each, nr) => ((each - (usedBegun[nr] ?? 0)) / sent).toFixed(2));

    fell.push(...(await person.end()), ...(await audit(farm, stage)));
    await stage.victim.end();

    const isLong = messages > many;
    const most = begun + mostGrowth;
    const memory = await neededBy(farm, isLong ? Math.min(most, late + mostLateGrowth) : most);
    if (memory - begun > mostGrowth) fell.push(`the coordinator needs ${memory - begun} MB more than before`);
    if (isLong && memory - late > mostLateGrowth) fell.push(`it grows: ${late} MB, then ${memory} MB`);
    if (isLong && fields.length > 0) fell.push(`${fields.length} lies in single fields were never sent`);
    print();
    const covered = `${lies.length - fields.length} of ${lies.length} lies in ${countFields(lies)} single fields`;
    const found = `${quarantined} of ${lives} liars quarantined with a reason`;
    const needed = `coordinator ${begun}, ${late}, ${memory} MB, kit ${kitBegun}, ${ownMemory()} MB`;
    const used = `${kitUsed} ms of the kit's and ${farmUsed} ms of the coordinator's processor a message`;
    const note = `${covered}, ${found}, ${needed}, ${used}, slowest submit ${stage.slowest()} ms`;
    return [{ what: "messages of liars", tried: sent, fell, note } satisfies Tally];
  },
};

const countFields = (lies: readonly FieldLie[]): number => new Set(lies.map(({ path }) => path)).size;

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

/** Milliseconds of processor time that this program and the coordinator have used so far. */
const usedOf = (farm: FarmProcesses): readonly [kit: number, coordinator: number] => {
  const { user, system } = process.cpuUsage();
  const stat = readFileSync(`/proc/${farm.coordinator().child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return [(user + system) / 1000, (Number(stat[11]) + Number(stat[12])) * 10];
};

const ownMemory = (): number => Math.round(process.memoryUsage.rss() / 1024 ** 2);

/** Megabytes of the coordinator's process; above `most`, what it still has after a minute in which it gives back garbage. */
const neededBy = async (farm: FarmProcesses, most: number): Promise<number> => {
  for (let left = 60; left > 0 && memoryOf(farm) > most; left -= 1) await pause(1000);
  return memoryOf(farm);
};

/** Megabytes of the coordinator's process. */
const memoryOf = (farm: FarmProcesses): number => {
  const status = readFileSync(`/proc/${farm.coordinator().child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
};
