import { expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { axeFindings } from "../../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../../helpers/pages/pages-farm.ts";
import { until } from "../../helpers/processes/farm-processes.ts";

const browser = useBrowser();

/** A farm with one held job, and its list of jobs at a time that the test moves. */
const openJobs = async () => {
  const { farm, page, context } = await openFarm(browser());
  const id = await farm.submit(
    aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], { name: "kept", paused: true }),
  );
  await begin(page, farm.baseUrl, "jobs");
  const choose = () => page.getByRole("checkbox", { name: `Choose job ${id}` }).click();
  await page.getByRole("checkbox", { name: `Choose job ${id}` }).waitFor();
  await page.clock.install();
  const priority = async () => (await farm.client.getJobInfo({ job_id: id, fields: ["priority"] })).priority;
  const pass = async (ms: number) => {
    await page.clock.fastForward(ms);
    expect(await page.evaluate("1 + 1")).toBe(2); // what the time set off has begun
  };
  return { farm, page, context, id, choose, priority, pass, undo: page.getByRole("button", { name: "Undo" }) };
};

describePages("what can be undone", () => {
  test("is a delete too, which is sent only once nobody can undo it any more", async () => {
    const { farm, page, context, choose, pass, undo } = await openJobs();
    await using _farm = farm;
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    const remove = async () => {
      await choose();
      await page.getByRole("button", { name: "Delete" }).click();
      await undo.waitFor();
    };
    await remove();
    await undo.click();
    await pass(60_000);
    expect(asked).toEqual([]);
    await remove();
    await pass(9000);
    expect(asked).toEqual([]);
    await pass(3000);
    await until("the delete", async () => (await farm.client.countJobs({})).count === 0);
    expect(asked).toHaveLength(1);
    await context.close();
  });

  test("stays under the pointer and the focus for as long as they are there, and goes soon afterwards", async () => {
    const { farm, page, context, choose, priority, pass, undo } = await openJobs();
    await using _farm = farm;
    await choose();
    const set = async (value: string) => {
      await page.getByLabel("Priority").fill(value);
      await page.getByRole("button", { name: "Set", exact: true }).click();
      await page.getByText(`is at priority ${value}.`).waitFor();
    };
    await set("150");
    await page.getByText("is at priority 150.").hover();
    await pass(60_000);
    expect(await undo.count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    await page.mouse.move(2, 2);
    await pass(1000);
    expect(await undo.count()).toBe(1);
    await pass(12_000);
    await undo.waitFor({ state: "detached" });
    expect(await priority()).toBe(150);

    await set("160");
    await page.mouse.move(2, 2);
    await page.getByRole("row", { name: /kept/ }).focus();
    await undo.focus();
    await pass(60_000);
    expect(await undo.count()).toBe(1);
    await page.keyboard.press("Enter");
    await until("it is undone", async () => (await priority()) === 150);
    // The focus is where it was before, and not lost with the button.
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("kept");
    await context.close();
  });

  test("is undone by a key, wherever the focus is", async () => {
    const { farm, page, context, id, priority, undo } = await openJobs();
    await using _farm = farm;
    await page.getByRole("row", { name: /kept/ }).focus();
    await page.keyboard.press("+");
    await page.getByText(`The priority of job ${id} is changed by +1.`).waitFor();
    expect(await undo.getAttribute("aria-keyshortcuts")).toBe("z");
    await page.keyboard.press("z");
    await until("it is undone", async () => (await priority()) === 100);
    await page.keyboard.press("z"); // nothing is left to undo
    expect(await page.getByText(/Nothing was changed|Not undone/).count()).toBe(0);
    await context.close();
  });
});
