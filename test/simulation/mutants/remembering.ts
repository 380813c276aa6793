import type { Mutant } from "./mutants.ts";

/** The swarm in which some coordinators forget what they do not use. */
const forgetful = 6;

/** What a coordinator keeps in memory, and reads again. */
export const rememberingMutants: readonly Mutant[] = [
  {
    name: "a job leaves memory before its change is durable",
    since: forgetful,
    file: "coordinator/kernel/values.ts",
    find: "(id) => pins.has(id)",
    replace: "() => false",
  },
  {
    name: "a row leaves memory before its change is durable",
    since: forgetful,
    file: "coordinator/kernel/values.ts",
    find: 'if (attempt?.ended !== null && isUnused(rowKey("attempts", counter))) attempts.delete(counter);',
    replace: "if (attempt?.ended !== null) attempts.delete(counter);",
  },
  {
    name: "a row that was read replaces what memory has of it",
    since: forgetful,
    file: "coordinator/kernel/loader.ts",
    find: "return map.has(id) || map.set(id, found);",
    replace: "return map.set(id, found);",
  },
  {
    name: "a job that was read replaces what memory has of it",
    since: forgetful,
    file: "coordinator/kernel/loader.ts",
    find: "if (!values.peekJob(id)) values.addJob(",
    replace: "values.addJob(",
  },
  {
    name: "a job is decided about while it is read",
    since: forgetful,
    file: "coordinator/kernel/pending-loads.ts",
    find: "const letGo = lines.hold(keys);",
    replace: "const letGo = () => void keys;",
  },
  {
    name: "whoever needs what cannot be read waits for ever",
    aim: "the store answers not every question",
    since: forgetful,
    file: "coordinator/kernel/pending-loads.ts",
    find: "      request.reject(problem);\n",
    replace: "",
  },
  {
    name: "a task of a refused claim is not ready again",
    aim: "the store answers not every question",
    since: forgetful,
    file: "coordinator/attempts/assign.ts",
    find: "  reindexTask(farm, task);\n};",
    replace: "  void reindexTask;\n};",
  },
  {
    name: "a claim is decided although what freed its slot was undone",
    aim: "batches meet a bad fate",
    since: forgetful,
    file: "coordinator/attempts/assign.ts",
    find: " || registry.isOverbooked(nodeId)",
    replace: "",
  },
];
