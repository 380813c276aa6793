import { expect, test } from "vitest";
import { axeFindings, picture } from "../helpers/browser.ts";
import { describePages, useBrowser } from "../helpers/page-suite.ts";
import { begin, openFarm } from "../helpers/pages-farm.ts";

const browser = useBrowser();

describePages("a form and its JSON side by side", () => {
  test("stay in step, and a job that starts later names its sender in the list", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await page.setViewportSize({ width: 1920, height: 1080 });
    await begin(page, farm.baseUrl, "submit");
    await page.getByLabel("Path or address of a file").fill("/media/film.mov");
    await page.getByRole("button", { name: "Add" }).click();
    const json = page.locator(".cm-content");
    await expect.poll(() => json.innerText()).toContain('"priority": 100');
    await page.getByLabel("Priority").fill("130");
    await expect.poll(() => json.innerText()).toContain('"priority": 130');
    await page.getByRole("button", { name: "In 1 hour" }).click();
    await expect.poll(() => json.innerText()).toContain('"start_after"');
    await json.getByText("130").dblclick();
    await page.keyboard.type("7");
    await expect.poll(() => page.getByLabel("Priority").inputValue()).toBe("7");
    await page.getByText("No estimate: too few tasks like these have run.").waitFor();
    await picture(page, "submit-both");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Submit the job" }).click();
    await page.getByText(/sent .* by /).waitFor();
    await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
    await page.getByRole("button", { name: "Mine" }).click();
    const row = page.getByRole("grid", { name: "Jobs" }).getByRole("row").filter({ hasText: "film.mov" });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Scheduled[\s\S]*film\.mov[\s\S]*Starts after/);
    await page.getByRole("button", { name: /^Held/ }).waitFor();
    await context.close();
  });
});
