import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { languages } from "../../renderer/language/languages.ts";
import { pseudoText } from "../../renderer/language/pseudo.ts";
import { share } from "../helpers/long.ts";
import { openPage, overflow, picture } from "../helpers/pages/browser.ts";
import { cutOff } from "../helpers/pages/cut-off.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/pages/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

/** Every page, and what stands on it once it is read: data as it is, our texts in the pseudo-language. */
const pages = [
  ["nowhere", pseudoText("There is no such page")],
  ["overview", pseudoText("Needs a person")],
  ["reset?code=abc", pseudoText("Choose a password")],
  ["overview?why=541", pseudoText("What was checked")],
  ["jobs", "Northline 207"],
  ["jobs/990", "rack-01"],
  ["nodes", "rack-03"],
  ["nodes?view=timeline", pseudoText("given back or stopped")],
  ["nodes/4", pseudoText("What it can do")],
  ["history", pseudoText("What people and programs did")],
  ["farm", "dolby"],
  ["alerts", "night shift"],
  ["webhooks", "archive-import"],
  ["signed-in?provider=studio&state=x&code=y", pseudoText("Back to signing in")],
  ["people", "guest"],
  ["audit", "createPerson"],
  ["account", "the archive"],
  ["presets", "Small enough"],
  ["submit", pseudoText("Review proxy")],
  ["computer", pseudoText("Open the desktop app")],
  // These read the API's document, whose words are many: they come last.
  ["submit?as=json", pseudoText("Nothing to check yet")],
  ["api", "POST /v1/jobs"],
] as const;

/** Tried in `npm test`; all of them in `.ci/run`. */
const usual: readonly string[] = ["overview", "jobs", "jobs/990"];

/** All that people read or hear, but for code, keys, and what says that nobody translates it. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const isOurs = (element) => element !== null && !element.closest("[translate=no], code, pre, kbd, script, style");
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (isOurs(walker.currentNode.parentElement)) texts.push(walker.currentNode.nodeValue);
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description"])
      for (const each of document.querySelectorAll("[" + name + "]")) if (isOurs(each)) texts.push(each.getAttribute(name));
    return texts;
  })()`);

/** Buttons that open a question, by their three dots; not the one that opens the computer's own choice of files. */
const openersOn = async (page: Page): Promise<string[]> => {
  const names = await page.locator("main button:enabled").allTextContents();
  return [...new Set(names)].filter((name) => name.includes("…") && !name.includes(pseudoText("Choose a file")));
};

const wordsIn = (text: string): string[] => text.match(/[A-Za-z]{2,}/g) ?? [];

/** Fields whose values are the API's own words for states and the like: pages have words of theirs for them. */
const codes = new Set([
  "action",
  "cause",
  "kind",
  "outcome",
  "plan",
  "presence",
  "role",
  "state",
  "status",
  "substatus",
]);

/** The strings of an answer that people or files gave, and the API's own messages, which stay English. */
const stringsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (codes.has(name) ? [] : stringsIn(each)));
};

/** Words that the API sent, and those of names that no text is made of. */
const collectData = (page: Page): Set<string> => {
  const words = new Set([
    "Mediafarm",
    "owner",
    "nowhere",
    ...Object.values(languages).flatMap(({ name }) => wordsIn(name)),
  ]);
  page.on("response", async (answer) => {
    if (!answer.url().includes("/ui/v1/") || answer.url().endsWith("/events")) return;
    // The API's own document is data as a whole, with the names of its fields.
    const body = await answer.text().catch(() => "");
    const told = answer.url().endsWith("/openapi.json") ? [body] : stringsIn(parsed(body));
    for (const word of told.flatMap(wordsIn)) words.add(word);
  });
  return words;
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return body; // a log, or a file
  }
};

const signIn = async (page: Page, shown = "Northline 207"): Promise<void> => {
  const form = page.locator("input[autocomplete=username]");
  await form.or(page.getByText(shown).first()).waitFor();
  if (!(await form.isVisible())) return;
  await form.fill("owner");
  await page.locator("input[type=password]").fill("a long password");
  await page.locator("button[type=submit]").click();
  await page.getByText(shown).first().waitFor();
};

describePages("a longer language", () => {
  test.each(share([390, 1024, 1440], (width) => width === 390))(
    "has room on every page at %i pixels, and no text hides from translation",
    async (width) => {
      const { page, context } = await openPage(browser(), { width, height: 900 });
      const data = collectData(page);
      const problems: string[] = [];
      const look = async (address: string) => {
        await picture(page, `pseudo-${address.replaceAll(/\W+/g, "-")}-${width}`);
        const wider = await overflow(page);
        if (wider > 0) problems.push(`${address} is ${wider} px wider than the window`);
        problems.push(...(await cutOff(page)).map((each) => `${address}: ${each}`));
        for (const text of await textsOf(page)) {
          const ours = wordsIn(text).filter((word) => !data.has(word));
          if (ours.length > 0) problems.push(`${address}: not translated: ${text.slice(0, 100)}`);
        }
      };
      await page.goto(`${farm().url}/?lang=en-XA#/jobs`);
      await signIn(page);
      expect(await page.evaluate("[document.documentElement.lang, document.documentElement.dir]")).toEqual([
        "en-XA",
        "ltr",
      ]);
      for (const [address, shown] of share(pages, ([address]) => usual.includes(address))) {
        await page.goto(`${farm().url}/#/${address}`);
        await page.getByText(shown).first().waitFor();
        await look(address);
        // What an address opens by itself lies over the page's buttons.
        if (width !== 1440 || (await page.locator("[role=dialog]").count()) > 0) continue;
        for (const name of await openersOn(page)) {
          await page.locator("main button:enabled", { hasText: name }).first().click();
          await page.locator("[role=dialog], [role=alert]").first().waitFor();
          await look(`${address} after ${name}`);
          await page.keyboard.press("Escape");
        }
      }
      await page.keyboard.press("?");
      await page.getByText(pseudoText("All keys, theme")).first().waitFor();
      await look("the list of keys");
      expect([...new Set(problems)]).toEqual([]);
      await context.close();
    },
  );
});

describePages("a language", () => {
  test("is the browser's, or another one that somebody chooses on the page Account and that stays", async () => {
    const { page, context, complaints } = await openPage(browser(), { locale: "de-AT" });
    await page.goto(`${farm().url}/#/account`);
    await signIn(page, "the archive");
    await page.getByRole("heading", { name: "Konto", exact: true }).waitFor();
    await page.getByLabel("Sprache dieser Seiten").selectOption({ label: "English" });
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    await page.getByLabel("Language of these pages").selectOption({ label: "As the browser" });
    await page.getByRole("heading", { name: "Konto", exact: true }).waitFor();
    expect(complaints.filter((each) => !each.includes("401"))).toEqual([]); // who is not signed in yet is told so
    await context.close();
  });
});
