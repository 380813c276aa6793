import { parentPort, workerData } from "node:worker_threads";
import { api } from "../../shared/api/api.ts";
import { openApiOf } from "../http/openapi.ts";

// Generates the document of the whole API and ends.
parentPort?.postMessage(openApiOf(api, workerData.version));
