import { Worker } from "node:worker_threads";
import type { Clock } from "../../shared/basics/clock.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import { siblingModule } from "../../shared/basics/sibling-module.ts";
import { maxHelloBytes, maxMessageBytes } from "../../shared/protocol/messages.ts";
import { breach, type ReadMessage, readMessage } from "./read-message.ts";

/** Who sends frames: somebody who is not known yet, or a node. Neither waits for the other. */
export type Sender = "stranger" | "node";

export type MessageReader = ReturnType<typeof createMessageReader>;

/** A frame of so many values is read here, within milliseconds even if none of them is right. */
const mostValuesHere = 500;
const mostCharactersHere = 1024 * 1024;

/** How many values a frame may have at all: a hello lists what a node's tools can do, a commit up to 100,000 files. */
const kinds = {
  stranger: { limit: maxHelloBytes, values: 40_000 },
  node: { limit: maxMessageBytes, values: 8_000_000 },
} as const;

/** The largest honest frame takes a second or two, also beside other work. */
const usualMs = 60_000;
const megabytes = 512;

/** For tests: another limit. */
type Setting = { readonly ms?: number };

/**
 * Reads frames of agents. A frame with many values is read in a thread with limits on time and memory, because each wrong
 * one costs far more than its bytes. A frame beyond these limits is a breach.
 */
export const createMessageReader = (clock: Clock, { ms = usualMs }: Setting = {}) => {
  const lanes = { stranger: createLane(clock, ms), node: createLane(clock, ms) };
  return {
    /** At once if the frame is small. */
    read: (text: string, from: Sender): ReadMessage | Promise<ReadMessage> => {
      const { limit, values } = kinds[from];
      if (text.length > limit || (text.length <= mostCharactersHere && !hasMore(text, mostValuesHere)))
        return readMessage(text, limit);
      if (hasMore(text, values)) return breach(`a message of more than ${values} values`);
      return lanes[from].read(text, limit);
    },
    stop: (): void => {
      for (const lane of Object.values(lanes)) lane.stop();
    },
  };
};

/** Whether a text of JSON may have more values than `most`: each has one of these characters in front of it. */
const hasMore = (text: string, most: number): boolean => {
  let left = most;
  for (const mark of [",", "[", "{"])
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  return false;
};

/** One thread, which reads one frame after the other. */
const createLane = (clock: Clock, ms: number) => {
  let worker: Worker | undefined;
  let before: Promise<unknown> = Promise.resolve();
  const start = (): Worker => {
    const made = new Worker(siblingModule(import.meta.url, "message-worker"), {
      ...{ env: {}, argv: [], stdin: false },
      resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 64 },
    });
    made.unref();
    return made;
  };
  const stop = (): void => {
    void worker?.terminate();
    worker = undefined;
  };
  const ask = async (text: string, limit: number): Promise<ReadMessage> => {
    worker ??= start();
    const { promise, resolve } = Promise.withResolvers<ReadMessage>();
    const give = (heard: ReadMessage): void => resolve(heard);
    const giveUp = (why: string): void => {
      stop();
      resolve(breach(`a message that cannot be read within the limits: ${why}`));
    };
    const onError = (problem: unknown): void => giveUp(messageOf(problem));
    const onExit = (): void => giveUp("its thread ended");
    const asked = worker.once("message", give).once("error", onError).once("exit", onExit);
    const cancel = clock.after(ms, () => giveUp(`it took more than ${ms / 1000} s`));
    asked.postMessage({ text, limit });
    const heard = await promise;
    cancel();
    asked.off("message", give).off("error", onError).off("exit", onExit);
    return heard;
  };
  return {
    read: (text: string, limit: number): Promise<ReadMessage> => {
      const heard = before.then(() => ask(text, limit));
      before = heard;
      return heard;
    },
    stop,
  };
};
