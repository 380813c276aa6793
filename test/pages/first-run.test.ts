import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firstRunPage } from "../../electron/window/first-run.ts";
import { axeFindings, chromiumPath, openBrowser, openPage, overflow, picture } from "../helpers/pages/browser.ts";

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath) browser = await openBrowser();
});
afterAll(() => browser?.close());

const why = chromiumPath ? "" : " (skipped: there is no Chromium)";

/** What the preload script gives the page; it remembers what it was asked. */
const bridge = `globalThis.asked = []; globalThis.mediafarm = {
  listFarms: async () => [{ name: "Studio <b>", address: "studio.local:8700" }],
  startFarm: async (input) => asked.push(["startFarm", input]),
  joinFarm: async (input) => { asked.push(["joinFarm", input]); throw new Error("The join token cannot be used"); },
};`;

describe.skipIf(!chromiumPath)(`the page of the first run${why}`, () => {
  test.each([
    [390, "light"],
    [1440, "dark"],
  ] as const)("at %i px, %s: its own script runs under its policy, axe finds nothing", async (width, scheme) => {
    const { page, context, complaints } = await openPage(browser, { width, scheme });
    await page.addInitScript(bridge);
    await page.goto(firstRunPage("/home/<mara>/Mediafarm", "en-GB"));
    await page.getByText("Studio <b>, at studio.local:8700").waitFor();
    await picture(page, `first-run-${width}-${scheme}`);
    expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0]);

    await page.getByLabel("Join token").fill("mfj1_abc");
    await page.getByRole("button", { name: "Join" }).click();
    await page.getByRole("alert").getByText("The join token cannot be used").waitFor();
    await page.getByRole("button", { name: "Start a farm" }).click();
    expect(await page.evaluate("asked")).toEqual([
      ["joinFarm", { joinToken: "mfj1_abc" }],
      ["startFarm", {}],
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
