import { expect, test } from "vitest";
import { faultsOfLooks, openPage } from "../helpers/browser.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

const pages: readonly (readonly [string, string, string])[] = [
  ["overview", "#/overview", "Needs a person"],
  ["wall", "#/overview?wall=true", "Needs a person"],
  ["jobs", "#/jobs", "Northline 207"],
  ["jobs-failed", "#/jobs?state=failed", "Rushes"],
  ["jobs-none", "#/jobs?text=nothing-is-called-so", "Clear the filter"],
  ["job", "#/jobs/990", "rack-01"],
  ["why", "#/jobs?why=541", "one question at a time"],
  ["job-gone", "#/jobs/4711", "There is no job"],
  ["nodes", "#/nodes", "rack-03"],
  ["timeline", "#/nodes?view=timeline", "Point at a bar"],
  ["node", "#/nodes/4", "What it can do"],
  ["node-gone", "#/nodes/4711", "There is no node"],
  ["history", "#/history", "Priority changed"],
  ["farm", "#/farm", "dolby"],
  ["people", "#/people", "guest"],
  ["account", "#/account", "the archive"],
  ["presets", "#/presets", "Small enough"],
  ["api", "#/api", "GET /v1/jobs/info"],
  ["reset", "#/reset?code=x", "Choose a password"],
  ["submit", "#/submit", "Review proxy"],
  ["submit-json", "#/submit?as=json", "Nothing to check"],
];
/** Dialogs, and what opens each. */
const sheets = [
  ["limit", "#/farm", { role: "button", name: "Change the limit of dolby…" }],
  ["group", "#/farm", { role: "button", name: "New group…" }],
  ["group-delete", "#/farm", { role: "button", name: "Delete gpu…" }],
  ["credential", "#/farm", { role: "button", name: "New credential…" }],
  ["mount", "#/farm", { role: "button", name: "New mount…" }],
  ["join", "#/nodes", { role: "button", name: "Add a node…" }],
  ["palette", "#/nodes", { role: "button", name: /Search or do/ }],
] as const;
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
      // Answers of 401 and 404 that these pages ask for are told by the browser; they are no mistake.
      expect([...problems, ...complaints.filter((text) => !/status of 40[14]/.test(text))]).toEqual([]);
      await context.close();
    },
  );
});
