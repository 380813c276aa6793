import { AppError } from "../../shared/basics/errors.ts";

/** `most` of a node's questions with this name are asked at once, and as many as `waiting` wait for their turn. */
type Line = { readonly nodeId: number; readonly name: string; readonly most: number; readonly waiting: number };
type Waiting = { readonly begin: () => void; readonly fail: (problem: unknown) => void };
type State = { readonly nodeId: number; open: number; readonly queue: Set<Waiting> };

/** A node is asked a few things at a time, first come, first served. */
export const createQuestionLines = () => {
  const states = new Map<string, State>();
  const stateOf = (line: Line): State => {
    const state = states.get(keyOf(line)) ?? { nodeId: line.nodeId, open: 0, queue: new Set() };
    states.set(keyOf(line), state);
    return state;
  };

  const end = (line: Line, state: State): void => {
    const [next] = state.queue;
    if (next) {
      // It has the place of the one that ended.
      state.queue.delete(next);
      next.begin();
    } else state.open -= 1;
    if (state.open === 0) states.delete(keyOf(line));
  };

  const wait = <T>(state: State, signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const fail = (problem: unknown): void => {
      state.queue.delete(waiting);
      reject(problem);
    };
    const leave = () => fail(signal?.reason);
    const begin = (): void => {
      signal?.removeEventListener("abort", leave);
      resolve(ask());
    };
    const waiting: Waiting = { begin, fail };
    state.queue.add(waiting);
    signal?.addEventListener("abort", leave, { once: true });
    return promise;
  };

  return {
    /** Asks when it is the question's turn. Rejects with AppError UNAVAILABLE where too many wait already. */
    inTurn: <T>(line: Line, signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> => {
      const state = stateOf(line);
      const run = () => ask().finally(() => end(line, state));
      if (state.open >= line.most) {
        if (state.queue.size < line.waiting) return wait(state, signal, run);
        const many = "The node is asked for many files at the moment: try again";
        return Promise.reject(new AppError("UNAVAILABLE", many));
      }
      state.open += 1;
      return run();
    },
    /** The node is gone: nothing of it is waited for any more. */
    leave: (nodeId: number, problem: AppError): void => {
      for (const { nodeId: id, queue } of states.values())
        if (id === nodeId) for (const each of [...queue]) each.fail(problem);
    },
  };
};

const keyOf = ({ nodeId, name }: Line): string => `${name} ${nodeId}`;
