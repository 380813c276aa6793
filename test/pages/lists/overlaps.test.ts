import { beforeEach, expect, test } from "vitest";
import { share } from "../../helpers/long.ts";
import { openPage, picture } from "../../helpers/pages/browser.ts";
import { overlaps } from "../../helpers/pages/overlaps.ts";
import { describePages, useBrowser, useCannedFarm } from "../../helpers/pages/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

/** Every page with a list, and what stands in it in every language: the farm's own data. */
const pages = [
  ["overview", "text=Northline 207"],
  ["jobs", "text=Northline 207"],
  ["jobs?state=failed", "text=Rushes"],
  ["jobs?why=541", "text=rack-01"],
  ["jobs/990", "text=NLN207_UHD"],
  ["nodes", "text=rack-03"],
  ["nodes/4", "text=libx264"],
  ["nodes?view=timeline", "text=rack-03"],
  ["history", "main time"],
  ["farm", "text=dolby"],
  ["alerts", "text=night shift"],
  ["webhooks", "text=archive-import"],
  ["people", "text=guest"],
  ["audit", "text=createPerson"],
  ["account", "text=the archive"],
  ["presets", "text=Small enough"],
  ["api", "main >> text=GET /v1/jobs/info"],
] as const;

/** As people have it, where long lists scroll; and so high that every list is in sight as a whole. */
const heights = [900, 4000];
/** A phone and a desk. */
const looks = [
  { language: "de", width: 390 },
  { language: "de", width: 1440 },
  { language: "en-XA", width: 390 },
  { language: "en-XA", width: 1440 },
];
describePages("rows of lists", () => {
  beforeEach(async () => {
    await fetch(`${farm().url}/ui/v1/session`, { method: "POST" });
  });

  test.each(share(looks, ({ language, width }) => language === "de" && width === 390))(
    "never lie over each other, with long names, in $language at $width pixels",
    async ({ language, width }) => {
      const { page, context } = await openPage(browser(), { width });
      const found: string[] = [];
      const look = async (what: string) => {
        for (const height of heights) {
          await page.setViewportSize({ width, height });
          await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
          await picture(page, `lists-${what.replaceAll(/\W+/g, "-")}-${language}-${width}-${height}`);
          found.push(...(await overlaps(page)).map((each) => `${what}, ${height} px high: ${each}`));
        }
      };
      await page.goto(`${farm().url}/?lang=${language}#/overview`);
      for (const [address, shown] of pages) {
        await page.goto(`${farm().url}/#/${address}`);
        await page.locator(shown).first().waitFor();
        await look(address);
      }
      // Two attempts beside each other, then their lines wrapped, then both as large as the window.
      await page.goto(`${farm().url}/#/jobs/990`);
      const off = page.locator("section:has(#log) button[aria-pressed=false]");
      for (const what of ["compared", "wrapped", "larger"]) {
        await off.first().click();
        await look(`a log ${what}`);
      }
      expect(found).toEqual([]);
      await context.close();
    },
  );

  test("are seen where they do", async () => {
    const { page, context } = await openPage(browser());
    const listOf = (style: string) => `<ul><li ${style}>first<br>of two lines</li><li>second</li></ul>`;
    await page.setContent(listOf(""));
    expect(await overlaps(page)).toEqual([]);
    await page.setContent(listOf(`style="height: 20px"`));
    expect(await overlaps(page)).toEqual(["UL: firstof two lines | second"]);
    await page.setContent(listOf(`style="height: 20px; overflow: hidden"`));
    expect(await overlaps(page)).toEqual([]);
    await context.close();
  });
});
