import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
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
  /** The clone whose program and pages are measured; absent: this one. */
  readonly clone?: string;
};
type Opened = AsyncDisposable & { readonly page: Page };

/** A coordinator that has many jobs, with 1,000 nodes and 500 updates a second. */
export type BusyFarm = AsyncDisposable & {
  /** The page of jobs in a browser that kept nothing. `prepare`: what is done with it before it is opened. */
  readonly open: (prepare?: (page: Page) => Promise<void>) => Promise<Opened>;
  /** The same, still blank; `show` opens the page, and waits for its jobs. */
  readonly blank: () => Promise<Opened & { readonly show: () => Promise<void> }>;
};

export const openBusyFarm = async ({ jobs, say, clone = "." }: Wish): Promise<BusyFarm> => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(scratchFolder());
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic"];
  const browser = stack.use(await chromium.launch({ executablePath: chromiumPath, args }));
  const program = join(clone, "cli/main.ts");
  const first = await startCoordinator(scratch.path, { program });
  const storageState = await makeOwner(browser, first.firstSignIn);
  await first[Symbol.asyncDispose]();
  say(`filling in ${jobs} jobs`);
  fillJobs(scratch.path, jobs);
  // The session outlives the restart, but is one of this address.
  const port = Number(new URL(first.base).port);
  const farm = stack.use(await startCoordinator(scratch.path, { program, port, secrets: first.secrets }));
  const blank = async () => {
    const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await makeBusy(page, jobs);
    const show = async () => {
      await page.goto(farm.base.replace(/v1$/, "#/jobs"));
      await page.getByRole("grid", { name: "Jobs" }).getByRole("row").nth(5).waitFor();
    };
    return { page, show, [Symbol.asyncDispose]: () => context.close() };
  };
  const opened = stack.move();
  return {
    blank,
    open: async (prepare) => {
      const made = await blank();
      await prepare?.(made.page);
      await made.show();
      return made;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
};

/** What a browser keeps of a person who is signed in. */
const makeOwner = async (browser: Browser, url: string): Promise<Kept> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel("Your name").fill("bench");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password again").fill(password);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  const kept = await context.storageState();
  await context.close();
  return kept;
};

type Kept = Awaited<ReturnType<BrowserContext["storageState"]>>;

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
