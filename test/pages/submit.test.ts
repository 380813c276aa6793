import { expect, test } from "vitest";
import { exampleJob } from "../../renderer/pages/submit/example.ts";
import { axeFindings, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../helpers/pages/pages-farm.ts";

const browser = useBrowser();

describePages("a form and its JSON side by side", () => {
  test("stay in step, and a job that starts later names its sender in the list", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await page.setViewportSize({ width: 1920, height: 1080 });
    await begin(page, farm.baseUrl, "submit");
    await page.getByLabel("Path or address of a file").fill("/media/film.mov");
    await page.getByRole("button", { name: "Add" }).click();
    // Nothing shows the file: that is said where it was chosen, before the job fails of it.
    await page.getByRole("list", { name: "Chosen files" }).getByText("No connected node").waitFor();
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

  test("each mistake leads to its line, says how to mend it, and is announced", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await begin(page, farm.baseUrl, "submit?as=json");
    await page.getByRole("button", { name: "Begin with an example" }).click();
    const json = page.locator(".cm-content");
    const announced = page.locator("[aria-live=polite]").filter({ hasText: /to correct|can be sent/ });
    await expect.poll(() => announced.innerText()).toBe("The job can be sent.");
    const write = async (text: string) => {
      await json.click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    };
    const wrong = exampleJob.replace('"h264"', '"h246"');
    await write(wrong);
    await expect.poll(() => announced.innerText()).toBe("1 to correct");
    const list = page.getByRole("list", { name: "What is wrong" });
    await list.getByRole("button", { name: "payload.elements[1].payload.targets[0].video.codec" }).click();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.locator(".cm-activeLine").innerText()).toContain("h246");
    await list.getByRole("button", { name: 'Change to "h264"' }).click();
    await expect.poll(() => announced.innerText()).toBe("The job can be sent.");
    expect(await json.innerText()).toContain('"codec": "h264"');
    await write(exampleJob.replace('"My first job",', '"My first job"'));
    await list.getByRole("button", { name: "Line 3" }).click();
    await expect.poll(() => page.locator(".cm-activeLine").innerText()).toContain('"payload"');
    await context.close();
  });
});
