import { parentPort } from "node:worker_threads";
import { readMessage } from "./read-message.ts";

// Reads frames that may take long, one after the other.
parentPort?.on("message", ({ text, limit }: { readonly text: string; readonly limit: number }) =>
  parentPort?.postMessage(readMessage(text, limit)),
);
