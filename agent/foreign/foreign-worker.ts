import { parentPort } from "node:worker_threads";
import { messageOf } from "../../shared/basics/errors.ts";
import { type Failure, TaskError } from "../../shared/model/failure.ts";
import { type ReaderName, readers } from "./readers.ts";

/** What a thread is asked: which reader, and its one argument. */
export type Ask = { readonly name: ReaderName; readonly input: unknown };
export type Said = { readonly value: unknown } | { readonly failure: Failure } | { readonly fault: string };

const answer = async ({ name, input }: Ask): Promise<Said> => {
  try {
    const read = (await readers[name]()) as (input: unknown) => unknown; // the asker's types pair name and input
    return { value: read(input) };
  } catch (error) {
    return error instanceof TaskError ? { failure: error.failure } : { fault: messageOf(error) };
  }
};

parentPort?.on("message", (ask: Ask) => void answer(ask).then((said) => parentPort?.postMessage(said)));
