import { expect, test } from "vitest";
import { describePages, useBrowser } from "../../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../../helpers/pages/pages-farm.ts";

const browser = useBrowser();

describePages("what is typed into the search above a list", () => {
  test("goes into the address, and Back leads to the page before, not through what was typed", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await begin(page, farm.baseUrl, "overview");
    for (const place of ["jobs", "nodes"]) {
      await page.goto(farm.baseUrl.replace(/v1$/, `#/${place}`));
      const search = page.getByRole("searchbox").first();
      for (const text of ["box", "box-1"]) {
        await search.fill(text);
        await page.waitForURL((url) => url.hash === `#/${place}?text=${text}`);
      }
      await page.goBack();
      await expect.poll(() => page.url()).not.toContain(`#/${place}`);
      await page.goForward();
      await expect.poll(() => page.getByRole("searchbox").first().inputValue()).toBe("box-1");
    }
    await context.close();
  });
});
