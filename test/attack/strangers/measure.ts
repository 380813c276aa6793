import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { request as requestTls, Agent as TlsAgent } from "node:https";
import { setTimeout as pause } from "node:timers/promises";

export type Submitter = { readonly submit: () => Promise<number>; readonly close: () => void };

/** Another user, who submits a small job each time; gives the milliseconds that it took. */
export const openSubmitter = (baseUrl: string, headers: Readonly<Record<string, string>>, ca?: string): Submitter => {
  const isTls = baseUrl.startsWith("https");
  const agent = isTls ? new TlsAgent({ keepAlive: true, ca }) : new Agent({ keepAlive: true });
  const body = JSON.stringify({
    name: "small",
    payload: {
      elements: [
        {
          ...{ uid: "a", kind: "source" },
          payload: { kind: "asset_url", payload: { storage_provider: "file", url: "file:///nowhere/a.mov" } },
        },
      ],
    },
  });
  const all = { ...headers, "content-length": String(Buffer.byteLength(body)) };
  return {
    submit: () =>
      new Promise((resolve, reject) => {
        const begun = performance.now();
        const asked = (isTls ? requestTls : request)(`${baseUrl}/jobs`, { method: "POST", headers: all, agent });
        asked.on("response", (response) => {
          response.resume().on("end", () => {
            if (response.statusCode === 200) resolve(performance.now() - begun);
            else reject(new Error(`a submit was answered with ${response.statusCode}`));
          });
        });
        asked.on("error", reject);
        asked.end(body);
      }),
    close: () => agent.destroy(),
  };
};

/** A few at a time, for so long; one that is not answered counts with the time until that was clear. */
export const submitFor = async ({ submit }: Submitter, ms: number, atOnce = 4): Promise<number[]> => {
  const took: number[] = [];
  const end = performance.now() + ms;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const begun = performance.now();
      try {
        took.push(await submit());
      } catch {
        await pause(10);
        took.push(10_000 + performance.now() - begun); // refused: as bad as ten seconds
      }
      await pause(5);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return took;
};

export const percentile = (all: readonly number[], share: number): number => {
  const sorted = [...all].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** Megabytes that a process holds. */
export const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
