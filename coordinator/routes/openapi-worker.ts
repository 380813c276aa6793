import { parentPort, workerData } from "node:worker_threads";
import { api } from "../../shared/api/api.ts";
import { giveWay } from "../give-way.ts";
import { openApiOf } from "../http/openapi/openapi.ts";

giveWay();
// Generates the document of the whole API and ends.
const document = openApiOf(api, workerData.version);
parentPort?.postMessage({ document, text: JSON.stringify(document) });
