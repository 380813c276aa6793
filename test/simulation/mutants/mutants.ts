import type { Exchange } from "../loader/hooks.ts";
import { leadingMutants } from "./leading.ts";
import { rememberingMutants } from "./remembering.ts";
import { sharingMutants } from "./sharing.ts";

/** A line of the product that is wrong on purpose: a simulation that does not notice has an invariant too few. */
export type Mutant = Exchange & {
  readonly name: string;
  /** Farms have so many coordinators at most; usually one. */
  readonly coordinators?: number;
  /** The kind of fault that the line is there for: every second seed has this kind alone. */
  readonly aim?: string;
  /** The first swarm that can meet it; usually the first of all. */
  readonly since?: number;
};

/** Fences: who may still act. */
const fences: readonly Mutant[] = [
  {
    // Each of the two alone is kept by the other: an attempt ends before its task begins another one.
    name: "an attempt that has ended, or is not its task's current one, may ask and report",
    file: "coordinator/attempts/report.ts",
    find: "if (!attempt || attempt.node_id !== nodeId || attempt.ended !== null) return undefined;",
    replace: "if (!attempt || attempt.node_id !== nodeId) return undefined;",
    and: {
      find: "if (!task || task.attempt !== attempt.counter) return undefined;",
      replace: "if (!task) return undefined;",
    },
  },
  {
    name: "a repeated report of what is over is called stale",
    file: "coordinator/attempts/report.ts",
    find: 'if (!current) return isOver(draft, fence) ? "ok" : "stale";',
    replace: 'if (!current) return "ok";',
  },
  {
    name: "a welcome keeps attempts that were given away meanwhile",
    file: "coordinator/connections/admit.ts",
    find: "const keep = admitted.keep.filter((fence) => farm.registry.isHeld(row.id, fence));",
    replace: "const keep = hello.attempts.map(({ fence }) => fence);",
  },
  {
    name: "what a node came back without is not lost",
    file: "coordinator/connections/admit.ts",
    find: 'for (const attempt of lost) loseAttempt(farm, draft, attempt, "its node came back without it", { isDeath: true });',
    replace: "void lost;",
  },
  {
    name: "an assignment is sent although its claim is over",
    aim: "batches meet a bad fate",
    file: "coordinator/attempts/assign.ts",
    find: "if (!registry.isHeld(nodeId, fence)) return;",
    replace: "",
  },
  {
    name: "a grant of a lost node is given again at once",
    aim: "a program is killed at a moment of an attempt",
    file: "coordinator/attempts/grants.ts",
    find: 'state === "committing" && !registry.isSilentFor',
    replace: "state === undefined && !registry.isSilentFor",
  },
  {
    name: "an agent keeps what the coordinator does not",
    file: "agent/attempt/attempts.ts",
    find: 'await Promise.all(dropped.map((attempt) => table.drop(attempt, "the coordinator does not keep it")));',
    replace: "void dropped;",
  },
  {
    name: "an agent does not end what it is told to drop",
    file: "agent/attempt/attempts.ts",
    find: "if (attempt) await table.drop(attempt, why);",
    replace: "void why;",
  },
  {
    name: "an agent publishes without asking",
    file: "agent/attempt/attempt.ts",
    find: "await events.askGrant(now.intent);",
    replace: "",
  },
];

/** Flushes: what a power cut must leave. */
const flushes: readonly Mutant[] = [
  {
    name: "a file of the agent gets its name before its bytes are flushed",
    file: "agent/disk/own-files.ts",
    find: "    await flush(file);",
    replace: "",
  },
  {
    name: "a made file is not flushed",
    aim: "power is cut at a moment of an attempt",
    file: "agent/storage/file/identity.ts",
    find: "await prepare?.(file);",
    replace: "void prepare;",
  },
  {
    name: "an answer is given before its batch is durable",
    file: "coordinator/kernel/batch-writer.ts",
    find: "const problem = changes.length > 0 ? await batches.write(changes) : undefined;",
    replace: "const problem = undefined; if (changes.length > 0) void batches.write(changes);",
  },
];

/** What was missing once, and was found by a simulation. */
const mended: readonly Mutant[] = [
  {
    name: "the key that seals secrets is not flushed",
    file: "coordinator/store/durable-file.ts",
    find: "    fsyncSync(opened);",
    replace: "",
  },
  {
    name: "a name that is taken once more gets a second number",
    file: "agent/storage/publish.ts",
    find: "const wanted = unnumbered(file.final, nameOfTemp(hidden) ?? hidden);",
    replace: "const wanted = unnumbered(file.final, hidden);",
  },
  {
    name: "a start that is noted after its job has left memory frees the slot",
    file: "coordinator/attempts/indexes.ts",
    find: "  if (after?.ended === null) {\n",
    replace: "  if (after?.ended === null && task) {\n",
  },
  {
    name: "a node deletes what it is to replace although its task may be another one's by now",
    aim: "a machine sleeps",
    file: "agent/paths/existing-files.ts",
    find: 'if (there.length > 0 && existing !== "fail") await confirm();',
    replace: "void confirm;",
  },
  {
    name: "a retry does not wait for a node that may still publish what was stopped",
    aim: "somebody ends what a machine that sleeps was granted",
    since: 8,
    file: "coordinator/jobs/retry.ts",
    find: 'if (nodeId === undefined) return { state: "ready", ready_time: now };',
    replace: 'if (nodeId !== -1) return { state: "ready", ready_time: now };',
  },
  {
    name: "an attempt's record is not flushed where its files lie on another disk",
    file: "agent/attempt/records.ts",
    find: "if (!(await outlives(traces, keys))) return book.write(record);",
    replace: "if (record) return book.write(record);",
  },
  {
    name: "a report that a disk refused to remove is removed by nobody",
    aim: "a disk fails now and then",
    since: 7,
    file: "agent/attempt/table.ts",
    find: "      await outbox.remove(fence);",
    replace: "      await outbox.remove(fence).catch(() => undefined);",
  },
  {
    name: "a record that a disk refused to remove is removed by nobody",
    aim: "a disk fails now and then",
    since: 7,
    file: "agent/attempt/records.ts",
    find: "      if (!book.get(fence)) return;",
    replace: "      if (!book.get(fence)) return;\n      book.remove(fence);",
  },
];

/** Orders: what must come before what. */
const orders: readonly Mutant[] = [
  {
    name: "what an earlier attempt was granted is not completed by the next one",
    aim: "power is cut at a moment of an attempt",
    file: "agent/attempt/attempt.ts",
    find: 'if (previous === "none" || assignment.previousIntent === null)',
    replace: 'if (previous !== "" || assignment.previousIntent === null)',
  },
  {
    name: "temporary files have no record",
    file: "agent/attempt/paths.ts",
    find: "await records.begin(assignment, { mounts, temps });",
    replace: "await records.begin(assignment, { mounts, temps: [] });",
  },
  {
    name: "a free name is taken by a rename, which overwrites",
    file: "agent/storage/file/create-only.ts",
    find: "    await link(temp, final);",
    replace: "    await rename(temp, final);",
  },
  {
    name: "a report is forgotten before it was stored",
    file: "agent/attempt/runner.ts",
    find: "    await outbox.put(finished);",
    replace: "",
  },
  {
    // Not where an attempt fails: what is left there is removed once more with its record.
    name: "the files of an attempt that has ended stay",
    aim: "programs fail now and then",
    file: "agent/attempt/records.ts",
    find: "for (const temp of temps) await storageOf(temp).discard(temp);",
    replace: "void [temps, storageOf];",
  },
  {
    name: "a new agent does not sweep what an earlier one left",
    file: "agent/attempt/attempts.ts",
    find: "      await table.sweep(assignment.fence);\n      continue;",
    replace: "      continue;",
  },
];

/** Undos: what a refused batch takes back. */
const undos: readonly Mutant[] = [
  {
    name: "a refused decision stays in memory",
    file: "coordinator/kernel/decider.ts",
    find: "    undo: ({ draft }: Decided): void => {\n      revert(draft);",
    replace: "    undo: ({ draft }: Decided): void => {",
  },
  {
    name: "a refused decision stays in the indexes",
    file: "coordinator/kernel/decider.ts",
    find: "applyToIndexes(joinChanges(draft.changes).map(reverseChange));",
    replace: "void reverseChange;",
  },
  {
    name: "a batch of which nobody knows counts as written",
    file: "coordinator/kernel/batch-writer.ts",
    find: "return lead.epoch === epoch && lead.batch === batch.nr;",
    replace: "return lead.epoch === epoch || lead.batch === batch.nr;",
  },
  {
    name: "the slot of a refused claim stays taken",
    aim: "batches meet a bad fate",
    file: "coordinator/attempts/assign.ts",
    find: "  farm.registry.unclaim(nodeId, task.id);\n",
    replace: "",
  },
  {
    name: "a decision that was undone is not made again",
    aim: "batches meet a bad fate",
    file: "coordinator/kernel/batch-writer.ts",
    find: "else repeat(Object.assign(request, { isAlone: true }));",
    replace: "else request.reject(problem);",
  },
];

/** Retries: what is asked again. */
const retries: readonly Mutant[] = [
  {
    name: "an agent connects once",
    file: "agent/session/session.ts",
    find: "cancelRetry = clock.after(ms, open);",
    replace: "void open;",
  },
  {
    name: "a silent coordinator is waited for",
    aim: "a connection is lost without a word",
    since: 8,
    file: "agent/session/connection.ts",
    find: 'if (clock.monotonic() - lastMessageAt > 3 * everyMs) return end("the coordinator is silent");',
    replace: "",
  },
  {
    name: "a commit is asked for once, whatever became of the connection",
    file: "agent/attempt/attempts.ts",
    find: "    requestCommit(attempt, send);\n",
    replace: "",
  },
  {
    name: "a report is sent once, whatever became of the connection",
    file: "agent/attempt/attempts.ts",
    find: 'if (kept.has(fenceKey(report.fence))) send({ type: "report", report });',
    replace: "void report;",
  },
  {
    name: "a repeated submission makes another job",
    file: "coordinator/jobs/idempotency.ts",
    find: "if (earlier !== undefined) return earlier;",
    replace: "",
  },
  {
    name: "a lost node's work is not given to others",
    file: "coordinator/attempts/lost-nodes.ts",
    find: "else loseAttempt(",
    replace: "else void loseAttempt; if (draft === undefined) loseAttempt(",
  },
  {
    name: "a delayed task is never due",
    file: "coordinator/attempts/failed-attempts.ts",
    find: 'if (task && draft.moveTask(task, "due")) draft.touch(jobId);',
    replace: "void task;",
  },
];

export const mutants: readonly Mutant[] = [
  ...fences,
  ...flushes,
  ...orders,
  ...undos,
  ...retries,
  ...mended,
  ...rememberingMutants,
  ...leadingMutants,
  ...sharingMutants,
];
