import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { codeAt, stepAt } from "../../coordinator/second-steps/one-time-passwords.ts";
import { Secret } from "../../shared/basics/secret.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";
import { axeFindings, openPage, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { beginAtOverview, openFarm, password } from "../helpers/pages/pages-farm.ts";

const browser = useBrowser();

/** A device that keeps passkeys and unlocks them by itself, in this window alone. */
const giveAuthenticator = async (page: Page): Promise<{ readonly session: CDPSession; readonly id: string }> => {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
  return { session, id: authenticatorId };
};

const codeOf = (secret: string, shift = 0): string => codeAt(new Secret(secret), stepAt(systemClock.now()) + shift);

const signOut = async (page: Page): Promise<void> => {
  await page.keyboard.press("?");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
};

const enterPassword = async (page: Page, name = "first owner"): Promise<void> => {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};

const isIn = (page: Page) => page.getByRole("navigation", { name: "Pages" }).waitFor();

describePages("passkeys and codes", () => {
  test("are set up on the account's page, asked for, used, and wanted of others by an owner", async () => {
    const { farm, page, context, complaints } = await openFarm(browser(), {}, "localhost");
    await using _farm = farm;
    await beginAtOverview(page);
    const home = new URL("/", page.url()).href;
    const device = await giveAuthenticator(page);

    await page.goto(`${home}#/account`);
    await page.getByText("Once you have a passkey or codes").waitFor();
    await page.getByRole("button", { name: "Add a passkey…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the passkey").fill("laptop");
    await dialog.getByLabel("Your password again").fill("wrong password");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("is wrong").waitFor();
    await dialog.getByLabel("Your password again").fill(password);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const recovery = dialog.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await recovery.first().waitFor();
    expect(await recovery.count()).toBe(10);
    const spare = (await recovery.first().textContent()) ?? "";
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "second-steps-recovery");
    await dialog.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("never used").waitFor();
    const { credentials } = await device.session.send("WebAuthn.getCredentials", { authenticatorId: device.id });
    expect(credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential])).toEqual([
      ["localhost", true],
    ]);

    // Alone, without name and password.
    await signOut(page);
    await picture(page, "second-steps-sign-in");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await isIn(page);

    // Codes, beside it.
    await page.goto(`${home}#/account`);
    await page.getByText("last used").waitFor();
    await page.getByRole("button", { name: "Set up codes…" }).click();
    await dialog.getByLabel("Your password again").fill(password);
    await dialog.getByRole("button", { name: "Go on" }).click();
    const secret = (await dialog.getByRole("definition").locator("code").textContent()) ?? "";
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await dialog.getByRole("img", { name: "The secret as a picture" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "second-steps-codes");
    await dialog.getByLabel("Code from your app").fill("000000");
    await dialog.getByRole("button", { name: "Use codes from now on" }).click();
    await dialog.getByText("The code is wrong").waitFor();
    await dialog.getByLabel("Code from your app").fill(codeOf(secret, -1));
    await dialog.getByRole("button", { name: "Use codes from now on" }).click();
    await page.getByText("Codes from an app").waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "second-steps-account");

    // After the password: a passkey, a code, a recovery code.
    await signOut(page);
    await enterPassword(page);
    await page.getByRole("button", { name: "Use a passkey" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "second-steps-prove");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await isIn(page);
    await signOut(page);
    await enterPassword(page);
    await page.getByLabel("Code from your app").fill(codeOf(secret));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await isIn(page);
    await signOut(page);
    await enterPassword(page);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(spare.toUpperCase());
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await isIn(page);

    // An owner wants it of everybody: the next sign-in leads there.
    await page.goto(`${home}#/people`);
    const added = page.getByRole("button", { name: "Add", exact: true });
    await page.getByLabel("Name", { exact: true }).fill("Vic");
    await page.getByLabel("First password").fill(password);
    await added.click();
    await page.getByRole("list", { name: "May sign in" }).getByText("Vic", { exact: true }).waitFor();
    await page.getByLabel("Needed beside the password by").selectOption("viewer");
    await page.getByRole("button", { name: "Remove the second step of first owner…" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "second-steps-people");

    const visitor = await openPage(browser(), { width: 390, height: 844, scheme: "dark" });
    await giveAuthenticator(visitor.page);
    await visitor.page.goto(home);
    await enterPassword(visitor.page, "Vic");
    await visitor.page.getByText("This farm wants a second step").waitFor();
    expect(await axeFindings(visitor.page)).toEqual([]);
    await picture(visitor.page, "second-steps-set-up-phone");
    await visitor.page.getByRole("button", { name: "Codes from an app" }).click();
    await visitor.page.getByRole("img", { name: "The secret as a picture" }).waitFor();
    await picture(visitor.page, "second-steps-codes-phone");
    await visitor.page.reload();
    await enterPassword(visitor.page, "Vic");
    await visitor.page.getByRole("button", { name: "A passkey on this device" }).click();
    await visitor.page.getByRole("button", { name: "I have kept them" }).click();
    await isIn(visitor.page);

    await page.reload();
    await page.getByRole("button", { name: "Remove the second step of Vic…" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Remove the second step of Vic…" }).waitFor({ state: "detached" });
    await signOut(visitor.page);
    await visitor.page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await visitor.page.getByText("This passkey opens nothing here").waitFor();

    const unexpected = [...complaints, ...visitor.complaints].filter((each) => !/status of 40[0135]/.test(each));
    expect(unexpected).toEqual([]);
    await visitor.context.close();
    await context.close();
  });
});
