import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumPath, patienceMs } from "../helpers/pages/browser.ts";
import { type RichFarm, startRichFarm } from "./rich-farm/index.ts";
import { picturesOf } from "./rich-farm/pictures.ts";

/**
 * `node test/pages/gallery.ts FOLDER [--only overview,jobs] [--widths 1440,390] [--schemes light] [--languages
 * de,en-XA] [--dialogs] [--wait 5000] [--again]`: pictures of every page of a farm with work and nodes in every state, at
 * five widths and in both themes, for somebody who wants to look at all of them. A page is opened once and drawn in every
 * look. In other languages there are no pictures of what has to be pressed by its name first; `--dialogs` presses every kind
 * of button that opens a question, in any language. `--wait` gives each page so many milliseconds, on a busy machine;
 * `--again` waits for a line on the input and takes them anew. Needs built pages, Chromium and ffmpeg.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ only: { type: "string" }, widths: { type: "string" }, schemes: { type: "string" } },
    ...{ languages: { type: "string" }, wait: { type: "string" }, again: { type: "boolean" } },
    dialogs: { type: "boolean" },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("Usage: node test/pages/gallery.ts FOLDER");
const everyWidth = [1440, 1024, 390, 1920, 360];
type Choice = { readonly [K in "only" | "widths" | "schemes" | "languages"]?: string | undefined };

const roles = { owner: ["farm-owners"], operator: ["editors", "night-shift"], viewer: [] };
/** Who comes in, and how. */
const known = [
  [
    "identity/providers",
    { name: "studio", issuer: "https://login.studio.example/realms/studio", client_id: "mediafarm", roles },
  ],
  ["people", { name: "Ana K.", password: "a password of Ana", role: "operator" }],
  ["people", { name: "Mira O.", password: "a password of Mira", role: "viewer" }],
];

const signIn = async (browser: Browser, farm: RichFarm) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(farm.firstSignInUrl);
  await page.getByLabel("Your name").fill("first owner");
  await page.getByLabel("Password", { exact: true }).fill("a password of the gallery");
  await page.getByLabel("Password again").fill("a password of the gallery");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.evaluate(`(async () => {
    const send = (path, body) =>
      fetch("/ui/v1/" + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    for (const [path, body] of ${JSON.stringify(known)}) if (!(await send(path, body)).ok) throw new Error(path);
  })()`);
  return page.context().storageState();
};

const shoot = async (
  browser: Browser,
  farm: RichFarm,
  storageState: Awaited<ReturnType<typeof signIn>>,
  { only, widths, schemes, languages }: Choice,
): Promise<void> => {
  const wanted = only?.split(",");
  const pictures = picturesOf(farm).filter(({ name }) => wanted?.includes(name) ?? true);
  const looks = (widths?.split(",").map(Number) ?? everyWidth).flatMap((width) =>
    (["light", "dark"] as const)
      .filter((scheme) => schemes?.includes(scheme) ?? true)
      .map((colorScheme) => ({ width, colorScheme })),
  );
  for (const language of (languages ?? "en").split(",")) {
    const address = `${farm.url}?lang=${language}#/`;
    for (const picture of pictures) {
      if (language !== "en" && picture.prepare) continue;
      const context = await browser.newContext({
        ...(!picture.isStranger && { storageState }),
        viewport: viewportOf(looks[0]?.width ?? 1440),
      });
      const page = await context.newPage();
      await open(page, `${address}${picture.address}`, picture.prepare);
      const inLooks = async (name: string) => {
        for (const look of looks) {
          const words = [name, look.width, look.colorScheme, ...(language === "en" ? [] : [language])];
          await take(page, look, join(folder, `${words.join("-")}.png`));
        }
      };
      await inLooks(picture.name);
      if (values.dialogs && !picture.prepare) await openEach(page, (nr) => inLooks(`${picture.name}-dialog${nr}`));
      await context.close();
    }
  }
};

type Look = { readonly width: number; readonly colorScheme: "light" | "dark" };

const viewportOf = (width: number) => ({ width, height: width < 600 ? 844 : width > 1600 ? 1080 : 900 });

const open = async (
  page: Page,
  address: string,
  prepare: ((page: Page) => Promise<void>) | undefined,
): Promise<void> => {
  page.setDefaultTimeout(patienceMs);
  try {
    await page.goto(address);
    await page.waitForTimeout(Number(values.wait ?? 1200)); // answers, and what is drawn of them
    await prepare?.(page);
    await page.mouse.move(0, 0);
  } catch (problem) {
    console.log(`${address}: ${problem instanceof Error ? problem.message.split("\n")[0] : problem}`);
  }
};

/** Opens what each kind of button with three dots opens; those of one kind begin with the same word. */
const openEach = async (page: Page, look: (nr: number) => Promise<void>): Promise<void> => {
  const buttons = page.locator("main button:enabled", { hasText: "…" });
  const names = await buttons.allTextContents();
  const kind = (name: string) => name.split(" ")[0];
  const firsts = names.flatMap((name, at) => (names.findIndex((each) => kind(each) === kind(name)) === at ? [at] : []));
  for (const [nr, at] of firsts.entries()) {
    try {
      await page.setViewportSize(viewportOf(1440));
      await buttons.nth(at).click({ timeout: 5000 });
      await page.locator("[role=dialog], [role=alertdialog]").first().waitFor({ timeout: 5000 });
      await look(nr + 1);
    } catch (problem) {
      console.log(`${names[at]}: ${problem instanceof Error ? problem.message.split("\n")[0] : problem}`);
    }
    await page.keyboard.press("Escape");
    await page.waitForTimeout(400);
  }
};

const take = async (page: Page, { width, colorScheme }: Look, path: string): Promise<void> => {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize(viewportOf(width));
  await page.waitForTimeout(400);
  await page.screenshot({ path }).catch((problem) => console.log(`${path}: ${problem}`));
};

mkdirSync(folder, { recursive: true });
await using farm = await startRichFarm();
await using browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
const state = await signIn(browser, farm);
await shoot(browser, farm, state, values);
console.log(`Pictures are in ${folder}; the farm is at ${farm.url}`);
if (values.again)
  for await (const line of process.stdin) {
    const [only, widths] = String(line).trim().split(/\s+/);
    if (only === "end") break;
    await shoot(browser, farm, state, { only: only === "all" ? undefined : only, widths });
    console.log("Taken.");
  }
process.exit(0);
