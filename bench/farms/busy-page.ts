import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import type { Node } from "../../shared/model/node.ts";
import { startCoordinator } from "./coordinator.ts";
import { fillJobs } from "./fill.ts";
import { scratchFolder } from "./scratch.ts";

const programs = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-headless-shell"];
/** Undefined where there is no Chromium. */
export const chromiumPath = programs.find((path) => path && existsSync(path));
const password = "a password of the bench";

type Wish = {
  readonly jobs: number;
  readonly say: (text: string) => void;
  /** What is done with the page before it is opened. */
  readonly prepare?: (page: Page) => Promise<void>;
};

/** The page of jobs of a coordinator that has many, with 1,000 nodes and 500 updates a second. */
export const openBusyPage = async ({ jobs, say, prepare }: Wish) => {
  const stack = new AsyncDisposableStack();
  const scratch = stack.use(scratchFolder());
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic"];
  const browser = stack.use(await chromium.launch({ executablePath: chromiumPath, args }));
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const first = await startCoordinator(scratch.path);
  await makeOwner(page, first.firstSignIn);
  await first[Symbol.asyncDispose]();
  say(`filling in ${jobs} jobs`);
  fillJobs(scratch.path, jobs);
  const farm = stack.use(await startCoordinator(scratch.path, first.secrets));
  await makeBusy(page, jobs);
  await prepare?.(page);
  // The session outlives the restart, and cookies know no ports.
  await page.goto(farm.base.replace(/v1$/, "#/jobs"));
  await page.getByRole("grid", { name: "Jobs" }).getByRole("row").nth(5).waitFor();
  return { page, [Symbol.asyncDispose]: () => stack.disposeAsync() };
};

const makeOwner = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByLabel("Your name").fill("bench");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password again").fill(password);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
};

const [nodeCount, updatesASecond] = [1000, 500];

/** A thousand nodes, and updates of any job's progress all the time: the pages cannot tell them from a farm's own. */
const makeBusy = async (page: Page, jobs: number): Promise<void> => {
  await page.route("**/ui/v1/nodes", (route) => route.fulfill({ json: { items: manyNodes() } }));
  await page.addInitScript(`window.EventSource = class extends EventTarget {
    readyState = 1;
    constructor() {
      super();
      this.timer = setInterval(() => this.tell(), 20);
      setTimeout(() => this.onopen?.(), 0);
    }
    tell() {
      for (let nr = 0; nr < ${updatesASecond / 50}; nr += 1) {
        const id = String(1 + Math.floor(Math.random() * ${jobs}));
        const percent = Math.random() * 100;
        const event = { type: "task.progress", job_id: id, task_id: id, job_progress: percent, progress: { percent } };
        this.dispatchEvent(new MessageEvent("task.progress", { data: JSON.stringify(event) }));
      }
    }
    close() { clearInterval(this.timer); }
  }`);
};

const manyNodes = (): Node[] =>
  Array.from({ length: nodeCount }, (_, at) => ({
    ...{ id: String(at + 1), name: `rack-${at}`, state: "active", presence: "online", tags: ["linux"], group: null },
    ...{ health: { state: "sound", until: null, why: null }, slots: 4, running: [], lending: null, platform: "posix" },
    ...{
      machine: { cpu: "a processor", cores: 16, memory: 64e9, os: "Linux" },
      ffmpeg: null,
      version: null,
      clock_offset: null,
    },
    ...{ roots: [], mounts: [] },
    ...{ enrolled: new Date(0).toISOString(), last_seen: new Date(0).toISOString() },
  }));
