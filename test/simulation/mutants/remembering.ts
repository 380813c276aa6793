import type { Mutant } from "./mutants.ts";

/** The swarm in which some coordinators forget what they do not use. */
const forgetful = 6;

/** What a coordinator keeps in memory, and reads again. */
export const rememberingMutants: readonly Mutant[] = [
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
];
