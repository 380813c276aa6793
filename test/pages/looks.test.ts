import { expect, test } from "vitest";
import { share } from "../helpers/long.ts";
import { faultsOfLooks, openPage } from "../helpers/pages/browser.ts";
import { cannedPages, cannedSheets } from "../helpers/pages/canned-pages.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/pages/page-suite.ts";

/** A list, a form and a page of details; all of them in `.ci/run`. */
const pages = share(cannedPages, (_, at) => at < 3);
const sheets = share(cannedSheets, (_, at) => at === 0);

const browser = useBrowser();
const farm = useCannedFarm();

describePages("looks of the pages", () => {
  test.each(["light", "dark"] as const)(
    "in %s: axe finds nothing, nothing is wider than the window at three widths, nothing complains",
    async (scheme) => {
      const { page, context, complaints } = await openPage(browser(), { scheme });
      const problems: string[] = [];
      const look = async (name: string) => void problems.push(...(await faultsOfLooks(page, name, scheme)));
      await page.goto(`${farm().url}/#/jobs`);
      const form = page.getByRole("button", { name: "Sign in" });
      await form.or(page.getByText("Northline 207").first()).waitFor();
      if (await form.isVisible()) {
        await look("sign-in");
        await page.getByLabel("Name").fill("owner");
        await page.getByLabel("Password").fill("a long password");
        await form.click();
        await page.mouse.move(0, 0); // nothing is pointed at
      }
      for (const [name, address, shown] of pages) {
        await page.goto(`${farm().url}/${address}`);
        await page.getByText(shown).first().waitFor();
        await look(name);
      }
      await page.goto(`${farm().url}/#/jobs`);
      await page.getByRole("row", { name: /Northline 207/ }).waitFor();
      await page.keyboard.press("j");
      await page.keyboard.press("Space");
      await page.getByText("1 job selected").waitFor();
      await look("jobs-row");
      await page.goto(`${farm().url}/#/jobs/990`);
      await page.getByText("rack-01").first().waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await look("keys");
      await page.keyboard.press("Escape");
      for (const [name, address, opener] of sheets) {
        await page.goto(`${farm().url}/${address}`);
        await page.getByRole(opener.role, { name: opener.name }).first().click();
        await page.getByRole("dialog").waitFor();
        await look(name);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      // Answers of 401, 403 and 404 that these pages ask for are told by the browser; they are no mistake.
      expect([...problems, ...complaints.filter((text) => !/status of 40[134]/.test(text))]).toEqual([]);
      await context.close();
    },
  );
});
