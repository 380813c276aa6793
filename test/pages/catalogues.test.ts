import { join } from "node:path";
import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import { expect, test } from "vitest";

const config = getConfig({ configPath: join(import.meta.dirname, "../../lingui.config.ts") });

// It compiles every page, and so is no unit test.
test("the texts of the pages are the ones of the committed catalogues: npm run texts writes them", async () => {
  const [catalog] = await getCatalogs(config);
  const inSources = Object.entries((await catalog?.collect()) ?? {}).map(([id, { message }]) => `${id} ${message}`);
  expect(inSources.length).toBeGreaterThan(1000);
  for (const locale of config.locales) {
    const committed = Object.entries((await catalog?.read(locale)) ?? {});
    const texts = committed.map(
      ([id, { message, obsolete }]) => `${id} ${message ?? id}${obsolete ? " (obsolete)" : ""}`,
    );
    expect(texts.sort(), locale).toEqual(inSources.toSorted());
  }
});
