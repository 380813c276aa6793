import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { clientId, clientSecret, startIdentityProvider } from "../helpers/farm/identity-provider.ts";
import { axeFindings, openPage } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { beginAtOverview, openFarm } from "../helpers/pages/pages-farm.ts";

const browser = useBrowser();

/** An owner adds the provider on the page *People*. */
const addProvider = async (page: Page, issuer: string): Promise<void> => {
  await page.goto(new URL("/#/people", page.url()).href);
  await page.getByRole("button", { name: "New provider…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("studio");
  await dialog.getByLabel("Issuer").fill(issuer);
  await dialog.getByLabel("Client ID").fill(clientId);
  await dialog.getByLabel("Client secret").fill(clientSecret);
  await dialog.getByLabel("Groups of owners").fill("admins");
  await dialog.getByLabel("Groups of viewers").fill("staff");
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add the provider" }).click();
  await page.getByText(issuer).waitFor();
};

describePages("signing in at an identity provider", () => {
  test("goes there from another site's point of view, comes back to the wanted page, and out of both again", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    const origin = new URL(farm.baseUrl).origin;
    await beginAtOverview(page);
    // Another site than the farm's: no strict cookie comes back with the redirect.
    const provider = await startIdentityProvider(origin, "localhost");
    onTestFinished(provider.close);
    provider.people.set("u1", { preferred_username: "ada", groups: ["staff"] });
    provider.letIn("u1");
    await addProvider(page, provider.issuer);

    const visitor = await openPage(browser());
    await visitor.page.goto(`${origin}/#/nodes`);
    await visitor.page.getByRole("button", { name: "Sign in with studio" }).click();
    await visitor.page.getByRole("navigation", { name: "Pages" }).waitFor();
    await visitor.page.waitForURL(`${origin}/#/nodes`);
    expect(visitor.page.url()).not.toMatch(/code|state/);
    await visitor.page.goto(`${origin}/#/account`);
    await visitor.page.getByText("studio lets you in.").waitFor();

    await page.getByRole("button", { name: "Test studio" }).click();
    await page.getByText("Signing out here signs people out there.").waitFor();
    await page.reload();
    await page.getByText("viewer, by studio", { exact: false }).first().waitFor();

    await visitor.page.keyboard.press("?");
    await visitor.page.getByRole("button", { name: "Sign out" }).click();
    await visitor.page.getByRole("button", { name: "Yes, sign me out" }).click();
    await visitor.page.getByRole("button", { name: "Sign in with studio" }).waitFor();
    expect(new URL(visitor.page.url()).origin).toBe(origin);

    // Somebody else's answer, opened in this browser, signs nobody in.
    await visitor.page.goto(`${origin}/signed-in/studio?code=x&state=y`);
    await visitor.page.getByText("This sign-in was not begun in this browser").waitFor();
    await visitor.page.getByRole("link", { name: "Back to signing in" }).click();
    await visitor.page.getByRole("button", { name: "Sign in with studio" }).waitFor();
    expect(await axeFindings(visitor.page)).toEqual([]);
    // Browsers tell of each request that nobody was signed in for.
    const unexpected = [...complaints, ...visitor.complaints].filter((each) => !/status of 40[13]/.test(each));
    expect(unexpected).toEqual([]);
    await visitor.context.close();
    await context.close();
  });
});
