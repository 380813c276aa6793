import type { Farm } from "../../../coordinator/farm.ts";
import type { Batch, Change } from "../../../coordinator/store/batch.ts";
import type { AgentMessage, Assignment, CoordinatorMessage } from "../../../shared/protocol/messages.ts";
import { isFinal } from "../../../shared/state/machine.ts";
import { type TaskState, taskMachine } from "../../../shared/state/task.ts";
import { createCoverage } from "../coverage.ts";
import type { Check } from "../invariants/invariant.ts";
import { invariants } from "../invariants/invariants.ts";
import type { FolderNode, Volume } from "../system/volume.ts";
import type { Machine } from "./machine.ts";
import { shareAt } from "./places.ts";
import type { Choice, OpenTurn } from "./turns.ts";
import type { Violation, World } from "./world.ts";

export type Checker = ReturnType<typeof createChecker>;

type CheckerNeeds = Pick<
  World,
  "settings" | "loop" | "journal" | "share" | "coordinators" | "server" | "storeAt" | "agents"
> & {
  readonly sent: World["people"]["sent"];
  readonly farm: World["farm"];
  readonly acting: () => readonly Machine[];
  readonly isStoreCalm: () => boolean;
  readonly isViewLate: () => boolean;
  readonly limits: () => ReadonlyMap<string, number>;
  readonly openTurns: () => readonly OpenTurn[];
  readonly secrets: () => ReadonlySet<string>;
};

/** Asks every invariant about what happens, collects what does not hold, and counts what was reached. */
export const createChecker = (needs: CheckerNeeds) => {
  const { settings, loop, journal, server, sent, farm, acting, ...machines } = needs;
  const violations: Violation[] = [];
  const coverage = createCoverage();
  let [count, batches, ended] = [0, 0, 0];
  const leading = server && { ...server, isCalm: () => needs.isStoreCalm() && server.longestMs() < 1000 };
  const takeoverMs: number[] = [];
  const { commitWaitMs } = settings.timing;
  const isCalm = ({ trouble }: Volume): boolean => trouble.errors === 0 && trouble.callMs < 1;
  const isDiskCalm = ({ disk }: Machine): boolean => isCalm(disk) && isCalm(needs.share);
  const seen = { now: loop.now, ...machines, acting, sent, farm, commitWaitMs, leading, isDiskCalm };
  const checks = invariants.map(({ name, check }) => ({ name, check: check(seen) }));
  const violate = (name: string, what: string): void => {
    violations.push({ name, what, at: loop.now() });
    journal.note("farm", "violation", `${name}: ${what}`);
  };
  const ask = (how: (check: Check) => readonly string[] | undefined): void => {
    for (const { name, check } of checks) {
      const found = how(check);
      if (!found) continue;
      count += 1;
      for (const what of found) violate(name, what);
    }
  };
  const shown: Volume["onShown"] = (folder, name, node) => {
    if (node.kind !== "file") return;
    const path = `${pathIn(folder)}/${name}`;
    ask((check) => check.shown?.(path, node.bytes));
  };
  return {
    ...{ violations, violate, coverage, shown, takeoverMs },
    led: (by: Machine, led: Farm): void => {
      const lease = server?.lease.current();
      if (lease && lease.free > 0) takeoverMs.push(loop.now() - lease.free);
      ask((check) => check.led?.(by, led));
    },
    gave: (by: Machine): void => ask((check) => check.gave?.(by)),
    passed: (): void => ask((check) => check.passed?.()),
    count: () => count,
    /** How often a task ended for good. */
    endings: () => ended,
    end: () => ask((check) => check.ended?.()),
    said: (node: string, text: string, way: string, host: string): AgentMessage | CoordinatorMessage => {
      const message = JSON.parse(text);
      coverage.add("messages", `${way} ${message.type}`);
      if (message.type === "assign") journal.note(node, "knows", wordsOfAssignment(message.assignment));
      ask((check) => check.said?.(node, message, text));
      if (way === "down") ask((check) => check.told?.(host, message));
      return message;
    },
    /** A node takes a message. */
    heard: (node: string, text: string): void => {
      const message = JSON.parse(text) as CoordinatorMessage; // the real coordinator has said it
      ask((check) => check.heard?.(node, message));
    },
    /** A coordinator takes a message of this node. */
    heardFrom: (node: string): void => ask((check) => check.heardFrom?.(node)),
    started: (by: Machine, program: string, args: readonly string[]): void =>
      ask((check) => check.started?.(by, program, args)),
    chosen: (by: Farm, choice: Choice): void => {
      if (!server || by.epoch === server.epoch()) ask((check) => check.chosen?.(by, choice));
    },
    turns: (open: readonly OpenTurn[]): void => ask((check) => check.turns?.(open)),
    durable: (batch: Batch, by: Machine): void => {
      const { changes } = batch;
      ask((check) => check.written?.(batch, by));
      for (const { table, key, from, to } of movesIn(changes)) {
        if (table === "task" && isFinal(taskMachine, to as TaskState)) ended += 1;
        coverage.add("states", `${table} ${from} → ${to}`);
        journal.note("store", "knows", `${table === "attempt" ? `#${key}` : `${table} ${key}`} ${from} → ${to}`);
      }
    },
    /** Every so many batches, because it costs as much as a batch. */
    settled: (farm: Farm, jobs: readonly number[]): void => {
      // What it has in memory is old once another one leads.
      if (server && farm.epoch !== server.epoch()) return;
      batches += 1;
      if (batches % settings.auditEvery === 0) ask((check) => check.settled?.(farm, jobs));
    },
  };
};

/** Which attempt is of which task, and for which job it makes something. */
const wordsOfAssignment = ({ fence, taskId, work }: Assignment): string => {
  const folder = Object.values(work.outputs)[0]?.folder ?? "";
  return [`assign #${fence.counter} task ${taskId}`, ...(/job-\d+/.exec(folder) ?? [])].join(" ");
};

type Move = { readonly table: string; readonly key: string; readonly from: string; readonly to: string };

const named: Readonly<Partial<Record<Change["table"], string>>> = {
  tasks: "task",
  attempts: "attempt",
  runs: "element",
};

const movesIn = (changes: readonly Change[]): Move[] =>
  changes.flatMap(({ table, key, before, after }) => {
    const [was, to] = [before, after].map((row) => (row && "state" in row ? String(row.state) : undefined));
    const name = named[table];
    // An element has no row before it begins.
    const from = was ?? (table === "runs" ? "waiting" : undefined);
    return name && from !== undefined && to !== undefined && from !== to
      ? [{ table: name, key: key.join(" "), from, to }]
      : [];
  });

const pathIn = ({ place }: FolderNode): string => (place ? `${pathIn(place.folder)}/${place.name}` : shareAt);
