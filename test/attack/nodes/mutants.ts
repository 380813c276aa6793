type Change = {
  /** Stands in the file once. */
  readonly from: string;
  readonly to: string;
};

/** One line of what the product believes of nodes, taken out: the kit of lying nodes has to fall for it. */
export type Mutant = Change & {
  readonly name: string;
  /** What a node could do then. */
  readonly what: string;
  readonly file: string;
  /** Another line of the same file, where two keep each other: none of them is missed alone. */
  readonly and?: Change;
};

export const mutants: readonly Mutant[] = [
  {
    name: "report",
    what: "commit to and report on what another node runs",
    file: "coordinator/attempts/report.ts",
    from: "if (!attempt || attempt.node_id !== nodeId || attempt.ended !== null) return undefined;",
    to: "if (!attempt || attempt.ended !== null) return undefined;",
  },
  {
    name: "returned",
    what: "give back what another node runs",
    file: "coordinator/connections/messages.ts",
    from: "if (attempt?.node_id !== nodeId || attempt.ended !== null) return;",
    to: "if (!attempt || attempt.ended !== null) return;",
  },
  {
    name: "log",
    what: "write the log of another node's attempt",
    file: "coordinator/connections/messages.ts",
    from: "if (farm.registry.isHeld(nodeId, message.fence)) farm.liveLogs.take(nodeId, message);",
    to: "farm.liveLogs.take(farm.values.attempts.get(message.fence.counter)?.node_id ?? nodeId, message);",
  },
  {
    name: "keys",
    what: "ask for the keys of another node's attempt",
    file: "coordinator/secrets/storage-keys.ts",
    from: "if (attempt?.node_id !== nodeId) return;",
    to: "if (!attempt) return;",
  },
  {
    name: "progress",
    what: "tell how far another node is",
    file: "coordinator/connections/messages.ts",
    from: "const held = farm.registry.heldAs(nodeId, fence);",
    to: "const held = farm.registry.heldAs(farm.values.attempts.get(fence.counter)?.node_id ?? nodeId, fence);",
  },
  {
    name: "polled",
    what: "answer a look at a folder that another node was asked for",
    file: "coordinator/schedule/polls.ts",
    from: "if (wait?.request?.nodeId !== nodeId) return undefined;",
    to: "if (!wait?.request) return undefined;",
    and: {
      from: "return wait ? wait.request?.nodeId !== nodeId : look > looks || look < 1;",
      to: "return look > looks || look < 1;",
    },
  },
  {
    name: "response",
    what: "answer a question that another node was asked",
    file: "coordinator/files/node-requests.ts",
    from: "if (found?.nodeId === nodeId) found.settle(response);",
    to: "found?.settle(response);",
  },
  {
    name: "intent",
    what: "be granted to publish any file",
    file: "coordinator/attempts/report-check.ts",
    from: "return wish && ",
    to: "return undefined && ",
  },
  {
    name: "outputs",
    what: "report outputs that it was never granted",
    file: "coordinator/attempts/report-check.ts",
    from: "return stranger && ",
    to: "return undefined && ",
  },
  {
    name: "breaches",
    what: "lie for ever",
    file: "coordinator/nodes/health/health-rules.ts",
    from: "export const isTooManyBreaches = (breaches: readonly number[]): boolean => breaches.length >= mostBreaches;",
    to: "export const isTooManyBreaches = (breaches: readonly number[]): boolean => breaches.length > 1e9;",
  },
];
