import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { keysOf, type MissingRows, type RowKey } from "./cache-miss.ts";
import type { Transaction } from "./transaction.ts";

export type Decide<T> = (draft: Transaction) => T;

/** A call of `change`, with its waiting caller. */
export type ChangeRequest = {
  /** The order of asking. */
  readonly nr: number;
  /** The rows that the caller named. */
  readonly needs: MissingRows;
  /** These rows, and all others that it turned out to lack. */
  readonly keys: Set<RowKey>;
  readonly decide: Decide<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (problem: unknown) => void;
  /** It was undone with a refused batch, so its next batch is its own. */
  isAlone: boolean;
};

/** A decided change; `answer` is sent once it is durable. */
export type Decided = { readonly request: ChangeRequest; readonly draft: Transaction; readonly answer: () => void };

/** Numbers requests in the order of asking. */
export const createRequests = (enter: (request: ChangeRequest) => void) => {
  let asked = 0;
  /** Enters a decision about these jobs, or these rows; settles with its answer. */
  return <T>(about: readonly number[] | MissingRows, decide: Decide<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      asked += 1;
      const needs = "length" in about ? { jobs: about } : about;
      // Requests are of any type; each resolves with the result of its own decision.
      const answer = { resolve: resolve as ChangeRequest["resolve"], reject };
      enter({ nr: asked, needs, keys: new Set(keysOf(needs)), decide, ...answer, isAlone: false });
    });
};

/**
 * Requests that are not decided yet. Each stands in the line of every key of its own, in the order of asking, and may
 * be decided while it is the first in all of them and none of its rows is being loaded. A request without keys waits
 * for nobody. The earliest of all is the first everywhere, so none waits for ever.
 */
export const createRequestLines = () => {
  const lines = new Map<RowKey, ChangeRequest[]>();
  const loading = new Set<RowKey>();
  let undecided = 0;

  const isFirst = (request: ChangeRequest): boolean => {
    for (const key of request.keys) if (lines.get(key)?.[0] !== request || loading.has(key)) return false;
    return true;
  };
  const ready = createReadyRequests(isFirst);
  const offerFirsts = (keys: Iterable<RowKey>): void => {
    for (const key of keys) ready.offer(lines.get(key)?.[0]);
  };
  const stand = (request: ChangeRequest, key: RowKey): void => {
    const line = getOrInsert(lines, key, () => []);
    insert(line, request);
  };
  return {
    enter: (request: ChangeRequest): void => {
      undecided += 1;
      for (const key of request.keys) stand(request, key);
      ready.offer(request);
    },
    first: ready.first,
    /** It turned out to need these rows too. True if it is the first in their lines: they can be loaded. */
    join: (request: ChangeRequest, keys: readonly RowKey[]): boolean => {
      ready.takeBack(request);
      for (const key of keys) if (!request.keys.has(key)) stand(request, key);
      for (const key of keys) request.keys.add(key);
      return isFirst(request);
    },
    /** Until the returned function is called, nobody decides about these rows. */
    hold: (keys: readonly RowKey[]): (() => void) => {
      for (const key of keys) loading.add(key);
      return () => {
        for (const key of keys) loading.delete(key);
        offerFirsts(keys);
      };
    },
    /** It is decided, or was refused. */
    leave: (request: ChangeRequest): void => {
      undecided -= 1;
      ready.takeBack(request);
      for (const key of request.keys) leaveLine(lines, key, request);
      offerFirsts(request.keys);
    },
    /** Whether the request must stand in this line before it may touch the row. */
    isBehind: (request: ChangeRequest, key: RowKey): boolean => {
      if (request.keys.has(key)) return false;
      const first = lines.get(key)?.[0];
      return loading.has(key) || (first !== undefined && first.nr < request.nr);
    },
    /** Whether somebody waits for this row; then it stays in memory. */
    isAwaited: (key: RowKey): boolean => lines.has(key),
    count: (): number => undecided,
  };
};

/** Those that may be decided now, in the order of asking, unless an earlier one joined their lines since. */
const createReadyRequests = (isFirst: (request: ChangeRequest) => boolean) => {
  const ready: ChangeRequest[] = [];
  const isReady = new Set<ChangeRequest>();
  const takeBack = (request: ChangeRequest): void => {
    if (isReady.delete(request)) ready.splice(ready.indexOf(request), 1);
  };
  return {
    takeBack,
    offer: (request: ChangeRequest | undefined): void => {
      if (!request || isReady.has(request) || !isFirst(request)) return;
      isReady.add(request);
      insert(ready, request);
    },
    /** The earliest one that may be decided now. */
    first: (): ChangeRequest | undefined => {
      while (ready[0] && !isFirst(ready[0])) takeBack(ready[0]);
      return ready[0];
    },
  };
};

const leaveLine = (lines: Map<RowKey, ChangeRequest[]>, key: RowKey, request: ChangeRequest): void => {
  const line = lines.get(key) ?? [];
  line.splice(line.indexOf(request), 1);
  if (line.length === 0) lines.delete(key);
};

/** Almost always at the end. */
const insert = (line: ChangeRequest[], request: ChangeRequest): void => {
  line.splice(line.findLastIndex(({ nr }) => nr < request.nr) + 1, 0, request);
};
