import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { createClient } from "../../../shared/api/client.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { aChain, aFileSource, anMp4Target, aTranscodeTo } from "../farm/job-builders.ts";
import { until } from "./farm-processes.ts";

/** The encoder gives way to whatever else the machine does. */
export const patienceMs = 900_000;
/** Slow enough that no upgrade is faster. */
export const slow = { width: 960, height: 540, preset: "slow", bitrate_kb: 1500 };

/** Makes a small MP4 of the clip of this folder, in the folder `name` beside it. */
export const aTranscodeIn = (media: string, name: string, video: object = {}) =>
  aChain([
    aFileSource(`${media}/clip.mp4`),
    aTranscodeTo(`${media}/${name}`, [anMp4Target({ video: { ...anMp4Target().video, ...video } })]),
  ]);

/** A coordinator that has no time may hang up. */
export const isBusy = (problem: unknown): boolean => {
  if (problem instanceof AppError && problem.code === "UNAVAILABLE") return false;
  throw problem;
};

type Ready = {
  readonly base_url: string;
  readonly dashboard_url: string;
  readonly oapi_key: string;
  readonly oapi_secret: string;
  readonly auth_key: string;
  readonly auth_secret: string;
};

/** Reads what each `mediafarm up --json` of one farm prints when it is ready. Only its first start prints the credentials. */
export const createStarts = () => {
  let first: Ready | undefined;
  return async (child: ChildProcess) => {
    const ready = await readyLine(child);
    first ??= ready;
    const { oapi_key: oapiKey, oapi_secret: oapiSecret, auth_key: authKey, auth_secret: authSecret } = first;
    const client = createClient({ baseUrl: ready.base_url, oapiKey, oapiSecret, authKey, authSecret });
    const statusOf = async (id: string) => (await client.getJobInfo({ job_id: id, fields: ["status"] })).status ?? "";
    const ended = async (id: string): Promise<string> => {
      await until("the job's end", () => statusOf(id).then(isEnd, isBusy), patienceMs);
      return statusOf(id);
    };
    return { client, statusOf, ended, dashboardUrl: ready.dashboard_url };
  };
};

const readyLine = async (child: ChildProcess): Promise<Ready> => {
  const { stdout } = child;
  if (!stdout) throw new Error("what it prints cannot be read");
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout }).once("line", resolve);
    child.once("exit", (status) => reject(new Error(`it ended with ${status}`)));
  });
  return JSON.parse(line);
};

const isEnd = (status: string): boolean => /completed|failed/.test(status);
