import { AsyncLocalStorage } from "node:async_hooks";

/** Is told how many milliseconds of a processor a read took. */
type Tell = (ms: number) => void;

const tellers = new AsyncLocalStorage<Tell>();

/** Does work whose reads are told as they end: whoever asks for the work pays for them, however deep in it they are. */
export const tellReading = <T>(tell: Tell, work: () => T): T => tellers.run(tell, work);

/** For whom the work that runs now reads, if anybody wants to know. */
export const readsFor = (): Tell | undefined => tellers.getStore();
