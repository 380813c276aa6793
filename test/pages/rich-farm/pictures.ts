import type { Page } from "playwright-core";
import type { RichFarm } from "./index.ts";

/** A page as it is shown, and what is done to it before the picture is taken. */
export type Picture = {
  readonly name: string;
  readonly address: string;
  /** Nobody is signed in. */
  readonly isStranger?: true;
  readonly prepare?: (page: Page) => Promise<void>;
};

const click = (role: "button" | "tab" | "checkbox", name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click();
const refuse = (what: string, status: number) => async (page: Page) => {
  await page.route(`**/ui/v1/${what}**`, (route) =>
    route.fulfill({ status, json: { success: false, error: "INTERNAL", message: "The store is busy", details: [] } }),
  );
  await page.reload();
  await page.waitForTimeout(3000);
};
const empty = (what: string) => async (page: Page) => {
  await page.route(`**/ui/v1/${what}**`, (route) => route.fulfill({ json: { items: [], count: 0 } }));
  await page.reload();
  await page.waitForTimeout(800);
};
const hang = (what: string) => async (page: Page) => {
  await page.route(`**/ui/v1/${what}**`, () => {});
  await page.reload();
  await page.waitForTimeout(1500);
};

/** As if there were so many times the nodes. */
const multiply = (times: number) => async (page: Page) => {
  await page.route("**/ui/v1/nodes", async (route) => {
    const { items }: { items: { id: string; name: string }[] } = await (await route.fetch()).json();
    const copies = (nr: number) =>
      items.map(({ id, name, ...each }) => ({ ...each, id: `${id}${nr}`, name: `${name}-${nr}` }));
    await route.fulfill({ json: { items: [...Array(times).keys()].flatMap(copies) } });
  });
  await page.reload();
  await page.waitForTimeout(2000);
};

/** Every page and every state of it that somebody should look at. */
export const picturesOf = ({ jobs, nodes }: RichFarm): readonly Picture[] => [
  { name: "overview", address: "overview" },
  { name: "wall", address: "overview?wall=true" },
  { name: "jobs", address: "jobs" },
  {
    ...{ name: "jobs-selected", address: "jobs?sort=priority" },
    prepare: async (page) => {
      await page.keyboard.press("j");
      for (const _ of [1, 2, 3]) {
        await page.keyboard.press("Space");
        await page.keyboard.press("j");
      }
    },
  },
  { name: "jobs-failed", address: "jobs?state=failed" },
  { name: "jobs-none", address: "jobs?text=nothing-is-called-so" },
  { name: "jobs-empty", address: "jobs", prepare: empty("jobs") },
  { name: "jobs-loading", address: "jobs", prepare: hang("jobs?") },
  { name: "jobs-error", address: "jobs", prepare: refuse("jobs?", 500) },
  {
    ...{ name: "why", address: "jobs?state=waiting" },
    prepare: (page) =>
      page
        .getByRole("link", { name: /Why does job/ })
        .first()
        .click(),
  },
  { name: "job-running", address: `jobs/${jobs.running}` },
  {
    ...{ name: "job-played", address: `jobs/${jobs.played}` },
    prepare: (page) =>
      page
        .getByRole("list", { name: /^Stills/ })
        .getByRole("img")
        .last()
        .waitFor(),
  },
  { name: "job-player", address: `jobs/${jobs.played}`, prepare: click("button", /^Watch .*mp4/) },
  { name: "job-wide", address: `jobs/${jobs.wide}` },
  { name: "job-gone", address: "jobs/4711" },
  {
    ...{ name: "log", address: `jobs/${jobs.running}` },
    prepare: async (page) => {
      await page
        .getByRole("row", { name: /Running/ })
        .first()
        .click();
      await page.waitForTimeout(1000);
      await page
        .getByRole("button", { name: /full|whole|larger/i })
        .first()
        .click();
    },
  },
  { name: "nodes", address: "nodes" },
  { name: "nodes-many", address: "nodes", prepare: multiply(12) },
  { name: "overview-many", address: "overview", prepare: multiply(12) },
  { name: "timeline", address: "nodes?view=timeline&hours=4" },
  { name: "node", address: `nodes/${nodes.get("rack-01")}` },
  { name: "node-owned", address: `nodes/${nodes.get("edit-01")}` },
  { name: "join", address: "nodes", prepare: click("button", /Add a node/) },
  { name: "history", address: "history" },
  { name: "farm", address: "farm" },
  { name: "alerts", address: "alerts" },
  { name: "webhooks", address: "webhooks" },
  { name: "webhook-new", address: "webhooks", prepare: click("button", /^New webhook/) },
  { name: "webhook-edit", address: "webhooks", prepare: click("button", /^Change /) },
  { name: "webhook-secret", address: "webhooks", prepare: click("button", /^New secret of/) },
  { name: "provider-new", address: "people", prepare: click("button", /^New provider/) },
  { name: "signed-in", address: "signed-in?provider=studio&state=x&code=y", isStranger: true },
  { name: "people", address: "people" },
  { name: "audit", address: "audit" },
  { name: "account", address: "account" },
  { name: "presets", address: "presets" },
  { name: "api", address: "api" },
  { name: "submit", address: "submit" },
  { name: "submit-json", address: "submit?as=json" },
  { name: "sign-in", address: "jobs", isStranger: true },
  { name: "palette", address: "overview", prepare: (page) => page.keyboard.press("Control+k") },
  { name: "keys", address: "jobs", prepare: (page) => page.keyboard.press("?") },
  {
    ...{ name: "stale", address: "jobs" },
    prepare: async (page) => {
      await page.getByRole("grid", { name: "Jobs" }).getByRole("row").nth(5).waitFor();
      await page.context().setOffline(true);
      await page.waitForTimeout(12_000);
    },
  },
];
