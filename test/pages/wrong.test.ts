import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../helpers/media/media-tools.ts";
import { axeFindings, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../helpers/pages/pages-farm.ts";
import { kill, until } from "../helpers/processes/farm-processes.ts";

const clip = [
  ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=240"],
  ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
];
const browser = useBrowser();

/** Stops the ffmpeg that runs below this process, as a hung disk would: it says nothing more, and does not end. */
const freezeTool = (agent: number | undefined): number[] => {
  const { stdout } = spawnSync("ps", ["-e", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const rows = stdout.split("\n").map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const below = (pid: number): number[] =>
    rows.filter(([, , parent]) => Number(parent) === pid).flatMap(([, own]) => [Number(own), ...below(Number(own))]);
  const tools = below(agent ?? 0).filter((pid) =>
    rows.some(([, own, , args]) => Number(own) === pid && args?.includes("libx264")),
  );
  for (const pid of tools) process.kill(pid, "SIGSTOP");
  return tools;
};

/** The line of what needs a person that has this title, which must lie within the window as it was opened. */
const inSight = async (page: Page, title: RegExp) => {
  const line = page.getByRole("list", { name: "What needs a person" }).getByRole("listitem").filter({ hasText: title });
  await line.waitFor();
  const box = await line.boundingBox();
  expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThan(900);
  return line;
};

describePages(
  "what is wrong",
  () => {
    test("is named on one screen without a click: a cause, a lost node, a stuck task, what is paused; each leads on", async () => {
      const { farm, page, context } = await openFarm(browser(), { stuckMs: 3000 });
      await using _farm = farm;
      const lost = await farm.startAgent("vfx-03");
      const rack = await farm.startAgent("rack-01");
      const film = await make(join(farm.media, "film.mp4"), ...clip);
      const out = join(farm.folder, "out");
      for (const card of ["A021", "A022"])
        await farm.untilEnded(
          await farm.submit(aChain([aFileSource(`/cards/${card}.mov`), aCopyTo(out)], { name: `Rushes ${card}` })),
        );
      await kill(lost);
      const encode = anMp4Target({ video: { codec: "h264", preset: "veryslow", height: 1080 }, audio: [] });
      await farm.submit(aChain([aFileSource(film), aTranscodeTo(out, [encode])], { name: "Saltmarsh R4" }));
      const held = [];
      for (const nr of [101, 102, 103])
        held.push(await farm.submit(aChain([aFileSource(film), aCopyTo(out)], { name: `Glass Orchard ${nr}` })));
      await farm.client.changeJobs({ action: "pause", ids: held, note: "new end card comes" });
      let frozen: number[] = [];
      await until("the encoder runs", async () => {
        frozen = freezeTool(rack.child.pid);
        return frozen.length > 0;
      });
      try {
        await begin(page, farm.baseUrl, "overview");
        await page.getByText("Its tasks were given to others").waitFor();
        await page.getByText(/On rack-01, at \d+ % for/).waitFor();
        await page.reload(); // as somebody who comes in now sees it
        const failed = await inSight(page, /2 jobs, like Rushes/);
        await expect.poll(() => failed.innerText()).toMatch(/outside of the folders this node may use/);
        const gone = await inSight(page, /vfx-03/);
        expect(await gone.innerText()).toMatch(/Lost[\s\S]*Silent for \d+ s\. Its tasks were given to others/);
        const stuck = await inSight(page, /On rack-01, at \d+ % for/);
        const paused = await inSight(page, /3 jobs, like Glass Orchard/);
        expect(await paused.innerText()).toMatch(/Paused by .*“new end card comes”/);
        await picture(page, "wrong-overview");
        expect(await axeFindings(page)).toEqual([]);

        const leadsTo = async (line: typeof failed, address: RegExp, shown: string) => {
          await line.getByRole("link").first().click();
          await page.waitForURL(address);
          await page.getByText(shown).first().waitFor();
          await page.goBack();
          await page.getByRole("list", { name: "What needs a person" }).waitFor();
        };
        await leadsTo(failed, /#\/jobs\?state=failed/, "Rushes A021");
        await leadsTo(gone, /#\/nodes\/\d+/, "vfx-03");
        await leadsTo(stuck, /#\/jobs\/\d+/, "Saltmarsh R4");
        await leadsTo(paused, /#\/jobs\?state=paused/, "Glass Orchard 102");
      } finally {
        for (const pid of frozen) process.kill(pid, "SIGCONT");
      }
      await context.close();
    });
  },
  ffmpegPath !== undefined,
);
