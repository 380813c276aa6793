import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../helpers/media/media-tools.ts";
import { axeFindings, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../helpers/pages/pages-farm.ts";

const clip = [
  ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=3", "-f", "lavfi", "-i", "sine=duration=3"],
  ...["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "3M", "-pix_fmt", "yuv420p", "-c:a", "aac"],
  ...["-movflags", "+faststart"],
];

const browser = useBrowser();

/** Drops a file of this name with these bytes on the middle of the page, as a browser does: without its place. */
const dropOn = async (page: Page, name: string, bytes: Buffer): Promise<void> => {
  const given = JSON.stringify({ name, text: bytes.toString("base64") });
  await page.evaluate(`(() => {
    const { name, text } = ${given};
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))], name));
    const fire = (type) => document.querySelector("main").dispatchEvent(
      new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    fire("dragover");
    fire("drop");
  })()`);
};

describePages(
  "files of nodes",
  () => {
    test("a film dropped anywhere is found where a node sees it, a job template is made of it, and the proxy is there", async () => {
      const { farm, page, context } = await openFarm(browser());
      await using _farm = farm;
      const path = await make(join(farm.media, "dropped.mp4"), ...clip);
      await farm.startAgent("edit-07");
      await begin(page, farm.baseUrl, "nodes");
      await page.getByText("edit-07").first().waitFor();

      await dropOn(page, "nobody has it.mp4", Buffer.from("other"));
      await page.getByText("No node has a file nobody has it.mp4").waitFor();
      await page.getByRole("button", { name: "Leave it out" }).click();
      await dropOn(page, "dropped.mp4", readFileSync(path));
      await page.getByRole("list", { name: "Chosen files" }).getByText("dropped.mp4").waitFor();
      await page.getByLabel("Browse the folders of").selectOption({ label: "edit-07" });
      await page.getByRole("list", { name: "Files and folders" }).getByText(`${farm.folder}/`).click();
      await page.getByRole("button", { name: "media/", exact: true }).click();
      expect(await page.getByRole("checkbox", { name: /dropped\.mp4/ }).isChecked()).toBe(true);
      await picture(page, "files-dropped");
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel("Folder for the outputs").fill(join(farm.folder, "out"));
      await page.getByRole("button", { name: "Submit the job" }).click();
      await page.getByRole("heading", { level: 1 }).locator("..").getByText("Completed").waitFor();
      await page.getByRole("list", { name: "Files" }).getByText("dropped_proxy.mp4").waitFor();
      await context.close();
    });

    test("an output on storage that only a node reaches is played through that node, in ranges", async () => {
      const { farm, page, context } = await openFarm(browser());
      await using _farm = farm;
      const path = await make(join(farm.media, "remote.mp4"), ...clip);
      const share = join(farm.folder, "share");
      mkdirSync(share);
      await farm.startAgent("edit-07", ["--mount", `gs://films=${share}`]);
      const target = { location: { storage_provider: "gs", path: "gs://films/day1" } };
      const id = await farm.submit(aChain([aFileSource(path), aCopyTo(share, target)], { name: "remote" }));
      expect((await farm.untilEnded(id)).status).toBe("completed");
      expect(statSync(join(share, "day1/remote.mp4")).size).toBeGreaterThan(600_000);

      await begin(page, farm.baseUrl, `jobs/${id}`);
      await page.getByRole("button", { name: "Watch remote.mp4" }).click();
      await page.locator("video").first().waitFor();
      await expect.poll(() => page.evaluate<boolean>("document.querySelector('video')?.readyState >= 1")).toBe(true);
      expect(await page.evaluate("document.querySelector('video').videoWidth")).toBe(320);
      const url = await page.evaluate<string>("document.querySelector('video').src");
      const whole = await page.request.get(url);
      expect(Buffer.compare(await whole.body(), readFileSync(path))).toBe(0);
      const part = await page.request.get(url, { headers: { range: "bytes=600000-600009" } });
      expect([part.status(), await part.body()]).toEqual([206, readFileSync(path).subarray(600_000, 600_010)]);
      await context.close();
    });
  },
  ffmpegPath !== undefined,
);
