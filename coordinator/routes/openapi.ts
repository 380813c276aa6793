import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { OutputOf } from "../../shared/api/api.ts";
import { siblingModule } from "../../shared/basics/sibling-module.ts";
import { keepText } from "../http/answers/printed-answers.ts";
import type { Handlers } from "../http/server.ts";

type Document = OutputOf<"getOpenApi">;

type Made = { readonly document: Document; readonly text: string };

const workerFile = siblingModule(import.meta.url, "openapi-worker");

/**
 * Generated at the first request, because most farms never need it, and in a separate thread, because it takes a good
 * part of a second.
 */
export const openApiHandlers = (version: string) => {
  let made: Promise<Document> | undefined;
  return {
    getOpenApi: () => {
      made ??= documentOf(version).catch((problem) => {
        made = undefined; // the next request tries again
        throw problem;
      });
      return made;
    },
  } satisfies Partial<Handlers>;
};

const documentOf = async (version: string): Promise<Document> => {
  const worker = new Worker(workerFile, { workerData: { version } });
  worker.unref();
  const [{ document, text }] = (await once(worker, "message")) as [Made]; // the worker sends nothing else
  return keepText(document, text);
};
