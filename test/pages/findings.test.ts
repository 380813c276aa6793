import { join } from "node:path";
import { expect, test } from "vitest";
import { aChain, aFileSource } from "../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../helpers/media/media-tools.ts";
import { axeFindings, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../helpers/pages/pages-farm.ts";

/** A second of black with silence, then a picture with sound. */
const clip = [
  ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4"],
  ...["-f", "lavfi", "-i", "sine=duration=4:r=48000,volume=0:enable='lt(t,1.5)'"],
  ...["-vf", "drawbox=enable='lt(t,1)':t=fill:color=black", "-c:v", "libx264", "-preset", "ultrafast"],
  ...["-pix_fmt", "yuv420p", "-c:a", "aac"],
];

const browser = useBrowser();

describePages(
  "the job's page",
  () => {
    test("shows what analyses found on one axis of time, each check with its outcome, and what filled the definition in", async () => {
      const { farm, page, context } = await openFarm(browser());
      await using _farm = farm;
      const path = await make(join(farm.media, "clip.mp4"), ...clip);
      await farm.startAgent();
      const analyze = {
        uid: "measure",
        kind: "analyze",
        payload: {
          deep_properties: {
            video: {
              black: { duration_sec: "{{longest}}" },
              psnr: { enabled: true },
              ssim: { enabled: true },
            },
            audio: [{ silence: { duration_sec: 1 }, ebur128: {} }],
          },
          compare_asset: { kind: "asset_url", payload: { url: path } },
        },
      };
      const black = "deep_properties.video.black.max_sec <= 0.2";
      const tests = [
        { name: "delivery", conditions: [{ condition: black }, { condition: "source.video.length == 1" }] },
      ];
      const qc = { uid: "judge", kind: "qc", payload: { tests } };
      const job = aChain([aFileSource(path), analyze, qc], { name: "measured" });
      const { id } = await farm.client.createJob({ ...job, definitions: { longest: 0.4 } });
      expect((await farm.untilEnded(id)).status).toBe("failed");
      await begin(page, farm.baseUrl, `jobs/${id}`);

      const analysis = page.getByRole("region", { name: "Analysis: measure" });
      await analysis.getByRole("img", { name: /^Video: Black: 0:00 to 0:0[01]/ }).waitFor();
      await analysis.getByRole("img", { name: /^Audio 1: Silence: 0:00 to 0:0[01]/ }).waitFor();
      await analysis.getByRole("img", { name: /^Momentary loudness: from -\d+(\.\d)? to -\d+(\.\d)? LUFS/ }).waitFor();
      await analysis.getByRole("img", { name: "PSNR: from 100 to 100 dB" }).waitFor();
      await analysis.getByRole("img", { name: /^SSIM: from 1 to 1/ }).waitFor();

      const checks = page.getByRole("region", { name: "Checks: judge" });
      const rows = checks.getByRole("row");
      expect(await rows.nth(1).innerText()).toMatch(/Failed[\s\S]*deep_properties\.video\.black\.max_sec <= 0\.2/);
      expect(await rows.nth(2).innerText()).toMatch(/Passed[\s\S]*source\.video\.length == 1/);

      await page.getByRole("region", { name: "Definition" }).getByRole("button", { name: "Show" }).click();
      const resolved = page.getByRole("region", { name: "What it came to" });
      const value = resolved.getByRole("term").filter({ hasText: "deep_properties.video.black.duration_sec" });
      expect(await value.locator("xpath=..").innerText()).toMatch(/"\{\{longest\}\}"[\s\S]*0\.4[\s\S]*filled in/);
      await page.setViewportSize({ width: 1440, height: 2400 });
      await picture(page, "findings-1440");
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 3400 });
      await picture(page, "findings-390");
      expect(await axeFindings(page)).toEqual([]);
      await context.close();
    });
  },
  ffmpegPath !== undefined,
);
