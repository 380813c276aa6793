import type { Browser, Page } from "playwright-core";
import { type FarmChoices, startFarm } from "../processes/farm-processes.ts";
import { openPage } from "./browser.ts";

export const password = "a password of the test";

/**
 * A farm and its pages, with its first owner signed in by the link of the first start. `name`: the pages are opened by it
 * instead of by the address, to which no passkey can belong.
 */
export const openFarm = async (browser: Browser, timing: FarmChoices["timing"] = {}, name?: string) => {
  const farm = await startFarm({ timing: { lateMs: 3000, lostMs: 8000, ...timing } });
  const watched = await openPage(browser);
  const { page } = watched;
  const link = new URL(farm.secrets.first_sign_in_url ?? "");
  if (name !== undefined) link.hostname = name;
  await page.goto(link.href);
  await page.getByLabel("Your name").fill("first owner");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password again").fill(password);
  return { farm, ...watched };
};

/** Signs the owner in, and shows the page of that address. */
export const begin = async (page: Page, baseUrl: string, address: string): Promise<void> => {
  await beginAtOverview(page);
  await page.goto(baseUrl.replace(/v1$/, `#/${address}`));
};

/** Signs the owner in: the first page is the overview. */
export const beginAtOverview = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.waitForURL(/#\/overview/);
};

/** Signs the owner in, and goes on to the list of jobs, which is still empty. */
export const beginAtJobs = async (page: Page): Promise<void> => {
  await beginAtOverview(page);
  await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
  await page.getByText("No jobs yet.").waitFor();
};
