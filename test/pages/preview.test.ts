import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource, aTranscodeTo } from "../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../helpers/media/media-tools.ts";
import { axeFindings, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../helpers/pages/pages-farm.ts";

const seconds = 13;
/** Each second has a brightness of its own. */
const greyOf = (second: number): number => 40 + 14 * (second % 13);
const grey = "format=gray,geq=lum='40+14*mod(floor(T),13)',format=yuv420p";
const picturesOf = (length: number) => ["-f", "lavfi", "-i", `color=black:s=160x90:r=25:d=${length},${grey}`];
const film = picturesOf(seconds);
const tone = ["-f", "lavfi", "-i", `sine=f=440:r=48000:d=${seconds}`];

const browser = useBrowser();

const ui = (baseUrl: string): string => baseUrl.replace(/v1$/, "ui/v1");

/** What the player shows; asked from outside, because the pages' policy lets nothing be evaluated within them. */
const seen = (page: Page) =>
  page.evaluate<{ at: number; frames: number; grey: number; sound: number; ready: number }>(`(() => {
    const video = document.querySelector("video");
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const context = canvas.getContext("2d");
    if (video.videoWidth > 0) context.drawImage(video, video.videoWidth / 2, video.videoHeight / 2, 4, 4, 0, 0, 1, 1);
    const [grey] = context.getImageData(0, 0, 1, 1).data;
    const frames = video.getVideoPlaybackQuality().totalVideoFrames;
    const sound = video.webkitAudioDecodedByteCount;
    return { at: video.currentTime, frames, grey, sound, ready: video.readyState };
  })()`);

const play = (page: Page) => page.evaluate("void document.querySelector('video').play()");
const seek = (page: Page, to: number) =>
  page.evaluate(
    `(() => { const video = document.querySelector("video"); video.pause(); video.currentTime = ${to}; })()`,
  );

const plays = async (page: Page): Promise<void> => {
  await page.getByText("Playing a preview made by edit-07").waitFor();
  await expect.poll(async () => (await seen(page)).ready).toBeGreaterThanOrEqual(2);
  await play(page);
  await expect.poll(async () => (await seen(page)).at).toBeGreaterThan(1);
};

const showsAt = async (page: Page, second: number): Promise<void> => {
  await seek(page, second + 0.5);
  await expect
    .poll(async () => {
      const { grey, ready } = await seen(page);
      return ready >= 2 && Math.abs(grey - greyOf(second)) < 7;
    })
    .toBe(true);
};

describePages(
  "a file that the browser cannot play",
  () => {
    test("plays as a preview that a node makes, from anywhere in it", async () => {
      const { farm, page, context, complaints } = await openFarm(browser());
      await using _farm = farm;
      await farm.startAgent("edit-07");
      const source = await make(join(farm.media, "film.mp4"), ...film, ...tone, "-c:v", "libx264", "-c:a", "aac");
      const target = {
        ...{ file_pattern: "film.mov", container: { kind: "mov" } },
        ...{ video: { codec: "prores", profile: "apcs" }, audio: [{ codec: "pcm", channels: 2 }] },
      };
      const id = await farm.submit(aChain([aFileSource(source), aTranscodeTo(join(farm.folder, "out"), [target])]));
      expect(await farm.untilEnded(id)).toMatchObject({ status: "completed", error: null });
      await begin(page, farm.baseUrl, `jobs/${id}`);
      const stills = page.getByRole("list", { name: "Stills of film.mov" }).getByRole("img");
      const widths = `[...document.querySelectorAll("li img[alt^='film.mov at']")].map((each) => each.naturalWidth)`;
      await expect.poll(() => page.evaluate<number[]>(widths)).toEqual([160, 160, 160, 160, 160]);
      expect(await stills.first().getAttribute("alt")).toBe("film.mov at 0:01");
      await expect
        .poll(() => page.evaluate<number[]>(widths.replace("film.mov", "The source")))
        .toEqual([160, 160, 160, 160, 160]);
      await page.getByRole("button", { name: "Watch film.mov" }).click();
      await page.getByText("made by edit-07: the browser cannot play ProRes and PCM.").waitFor();
      await plays(page);
      const { frames, sound } = await seen(page);
      expect([frames > 10, sound > 0]).toEqual([true, true]);
      await showsAt(page, 11);
      await page.getByText("00:00:11:12").waitFor();
      await showsAt(page, 2);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `preview-${colorScheme}`);
        expect(await axeFindings(page)).toEqual([]);
      }
      expect(complaints.filter((each) => !each.includes("401"))).toEqual([]); // nobody was signed in at first
      await context.close();
    });

    test("plays whatever its container and codecs are, and says in words what it cannot do", async () => {
      const { farm, page, context } = await openFarm(browser());
      await using _farm = farm;
      const agent = await farm.startAgent("edit-07");
      const made = [
        ["film.mxf", [...film, ...tone, "-c:v", "mpeg2video", "-q:v", "2", "-c:a", "pcm_s16le"]],
        ["film.mov", [...film, ...tone, "-c:v", "prores_ks", "-c:a", "pcm_s16le"]],
        ["sound.ac3", [...tone, "-c:a", "ac3"]],
        ["frame.dpx", ["-f", "lavfi", "-i", "testsrc2=s=160x90", "-frames:v", "1"]],
      ] as const;
      const out = join(farm.folder, "out");
      const jobs = new Map<string, string>();
      for (const [name, argv] of made) {
        const path = await make(join(farm.media, name), ...argv);
        jobs.set(name, await farm.submit(aChain([aFileSource(path), aCopyTo(out)], { name })));
      }
      for (const id of jobs.values()) expect((await farm.untilEnded(id)).status).toBe("completed");
      const open = async (name: string) => {
        await page.goto(farm.baseUrl.replace(/v1$/, `#/jobs/${jobs.get(name)}`));
        await page.getByRole("list", { name: "Files" }).getByRole("button", { name }).first().click();
      };

      await begin(page, farm.baseUrl, "jobs");
      await open("film.mxf");
      await plays(page);
      await showsAt(page, 9);
      await open("sound.ac3");
      await plays(page);
      expect((await seen(page)).sound).toBeGreaterThan(0);
      await open("frame.dpx");
      await page.getByText("Playing a preview made by edit-07").waitFor();
      await expect.poll(async () => (await seen(page)).ready).toBeGreaterThanOrEqual(2);
      await open("film.mov");
      await plays(page);
      await showsAt(page, 3);

      const path = join(out, "film.mov");
      const asked = await page.request.get(`${ui(farm.baseUrl)}/preview?path=${encodeURIComponent(path)}`);
      const base = `${ui(farm.baseUrl)}${(await asked.json()).path.replace("index.m3u8", "")}`;
      const status = async (name: string) => (await page.request.get(base + name)).status();
      const crowd = await Promise.all(Array.from({ length: 50 }, (_, at) => status(`${at % 4}.m4s`)));
      expect(crowd).toContain(200);
      expect(crowd.filter((each) => each !== 200 && each !== 503)).toEqual([]);
      expect(await Promise.all(["0.m4s", "3.m4s", "init.mp4", "index.m3u8"].map(status))).toEqual([200, 200, 200, 200]);
      expect(await Promise.all(["4.m4s", "-1.m4s", "0x1.m4s", "999999.m4s", "x"].map(status))).toEqual(
        Array(5).fill(404),
      );

      appendFileSync(path, "more");
      const changed = await page.request.get(`${base}1.m4s`);
      expect([changed.status(), (await changed.json()).message]).toEqual([404, expect.stringMatching(/has changed/)]);

      await farm.startAgent("away", ["--lend", "never"]);
      await make(join(farm.media, "long.mov"), ...picturesOf(40), "-c:v", "prores_ks");
      await page.goto(farm.baseUrl.replace(/v1$/, "#/submit"));
      const watchAsSeenBy = async (label: string) => {
        await page.getByLabel("Browse the folders of").selectOption({ label });
        await page.getByRole("list", { name: "Files and folders" }).getByText(`${farm.folder}/`).click();
        await page.getByRole("button", { name: "media/", exact: true }).click();
        await page.getByRole("button", { name: "Watch long.mov" }).click();
      };
      await watchAsSeenBy("away");
      await page.getByText(/away: this computer makes no previews now, because it is not lent/).waitFor();
      await watchAsSeenBy("edit-07");
      await plays(page);
      expect(await axeFindings(page)).toEqual([]);
      await showsAt(page, 7); // what follows is far ahead of what is loaded

      agent.child.kill("SIGKILL");
      await seek(page, 33.5);
      await page.getByText(/The preview cannot be played. .*edit-07 is not connected/).waitFor();
      await farm.startAgent("edit-07");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("Playing a preview made by edit-07").waitFor();
      await expect.poll(async () => (await seen(page)).at).toBeGreaterThan(33);
      await showsAt(page, 33);
      await context.close();
    });
  },
  ffmpegPath !== undefined,
);
