#!/usr/lib/mediafarm/bin/node
// Whether the coordinator of this container lives. It may serve HTTPS with a certificate for its names outside.
import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";

const port = /--port[ =](\d+)/.exec(process.env.MEDIAFARM_FLAGS ?? "")?.[1] ?? "8700";

const answers = (get, address) =>
  new Promise((resolve) => {
    const request = get(address, { rejectUnauthorized: false, timeout: 3000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });

const lives =
  (await answers(getHttps, `https://127.0.0.1:${port}/healthz`)) ||
  (await answers(getHttp, `http://127.0.0.1:${port}/healthz`));
process.exit(lives ? 0 : 1);
