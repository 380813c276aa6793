import { EventEmitter } from "node:events";
import { goOn } from "../../../coordinator/store/sqlite/reader.ts";
import { here } from "../engine/life.ts";
import { readDatabase } from "./database.ts";
import { system } from "./machine.ts";

/** What the product uses of `node:worker_threads`: a thread is a function here, which answers after some time. */

type Handler = (message: unknown) => void;

/** What the module of a thread does with a message, by the end of the module's address. */
const handlers = new Map<string, Handler>();
let [loading, answering]: [string | undefined, ((answer: unknown) => void) | undefined] = [undefined, undefined];

/** Loads the modules of threads, so that their functions are known. Called once, before anything is simulated. */
export const loadThreads = async (files: readonly string[]): Promise<void> => {
  for (const file of files) {
    loading = nameOf(file);
    await import(file);
    loading = undefined;
  }
};

const nameOf = (file: string | URL): string => String(file).slice(String(file).lastIndexOf("/") + 1);

const parentPort = {
  on: (_event: "message", handler: Handler): void => {
    if (loading !== undefined) handlers.set(loading, handler);
  },
  postMessage: (answer: unknown): void => answering?.(answer),
};

const answerMs = 1;

class Worker extends EventEmitter {
  readonly #name: string;
  readonly #data: unknown;
  #isOver = false;

  constructor(file: string | URL, { workerData }: { readonly workerData?: unknown } = {}) {
    super();
    this.#name = nameOf(file);
    this.#data = workerData;
  }

  postMessage(message: unknown): void {
    const life = here();
    const tell = (answer: unknown): void => {
      if (!this.#isOver) life.meet(() => void this.emit("message", structuredClone(answer)));
    };
    life.after(answerMs * system().random.between(0.5, 3), () => {
      if (this.#name.startsWith("reader-worker")) return this.#read(message, tell);
      const handler = handlers.get(this.#name);
      if (!handler) throw new Error(`the thread ${this.#name} is not simulated`);
      answering = tell;
      handler(structuredClone(message));
    });
  }

  #read(message: unknown, tell: (answer: unknown) => void): void {
    if (message === "close") this.#end();
    else if (message !== goOn) tell(readDatabase((this.#data as { file: string }).file, message as never)); // as the reader sends it
  }

  #end(): void {
    this.#isOver = true;
    here().after(0, () => void this.emit("exit", 0));
  }

  async terminate(): Promise<number> {
    if (!this.#isOver) this.#end();
    return 0;
  }

  ref(): void {}
  unref(): void {}
}

export const workerThreads = { Worker, parentPort, workerData: undefined, isMainThread: true };
