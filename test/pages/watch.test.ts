import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aWav } from "../helpers/media/a-wav.ts";
import { axeFindings, overflow, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../helpers/pages/pages-farm.ts";

const browser = useBrowser();

const aWatchJob = (folder: string, out: string) => {
  const source = { storage_provider: "file", path: folder };
  const settings = { interval_sec: 2, wildcard: "*.wav" };
  const target = { location: { storage_provider: "file", path: out }, file_pattern: "{source_name}" };
  return {
    name: "dailies",
    payload: {
      elements: [
        { uid: "watch", kind: "watchfolder", payload: { source, settings } },
        { uid: "copy", kind: "copy", payload: { target } },
      ],
      connections: [{ from: [{ element: "watch" }], to: { success: [{ element: "copy" }] } }],
    },
  };
};

describePages("a watched folder", () => {
  test("shows what it left alone and why, what became a job with its state, when it looks next, and is stopped there", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const folder = join(farm.folder, "in");
    mkdirSync(folder);
    writeFileSync(join(folder, "yesterday.wav"), aWav(1));
    await farm.startAgent("edit-07");
    const { id } = await farm.client.createJob(aWatchJob(folder, join(farm.folder, "out")));
    await begin(page, farm.baseUrl, `jobs/${id}`);
    const panel = page.getByRole("region", { name: "Watched folder" });
    await panel.getByText("Watching", { exact: true }).waitFor();
    const line = (name: string) => panel.getByRole("listitem").filter({ hasText: name });
    await line("yesterday.wav").waitFor();
    expect(await line("yesterday.wav").innerText()).toMatch(/Left alone[\s\S]*It was there before the first check\./);
    await panel.getByText(/Last check \d+ s ago; next (in \d+ s|at once), every 2 s\./).waitFor();

    writeFileSync(join(folder, "today.wav"), aWav(2));
    await line("today.wav").getByText("Completed").waitFor();
    expect(await line("today.wav").getByRole("link").getAttribute("href")).toMatch(/#\/jobs\/\d+$/);
    await picture(page, "watch-1440");
    expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0]);

    await panel.getByRole("button", { name: "Stop watching…" }).click();
    await page.getByRole("dialog").getByText("Child jobs that have started continue.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Stop watching" }).click();
    await panel.getByText("Not watching").waitFor();
    await farm.untilEnded(id);
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, "watch-390");
    expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0]);
    await context.close();
  });
});
