import { expect, test } from "vitest";
import { newWebhook, webhookChange } from "../../shared/outbound/webhooks.ts";
import { faultsOfLooks, openPage } from "../helpers/pages/browser.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/pages/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

describePages("the page of webhooks", () => {
  test("shows what arrived and why something did not, makes secrets here, and sends again", async () => {
    const { page, context } = await openPage(browser(), { scheme: "light" });
    await page.goto(`${farm().url}/#/webhooks`);
    const form = page.getByRole("button", { name: "Sign in" });
    await form.or(page.getByText("archive-import").first()).waitFor();
    if (await form.isVisible()) {
      await page.getByLabel("Name").fill("owner");
      await page.getByLabel("Password").fill("a long password");
      await form.click();
    }
    await page.getByText("connect ECONNREFUSED").waitFor();
    await page.mouse.move(0, 0); // nothing is pointed at
    expect(await faultsOfLooks(page, "webhooks", "light")).toEqual([]);

    const again = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/messages"));
    await page.getByRole("button", { name: "Send again: job.completed job 990" }).last().click();
    expect((await again).postDataJSON()).toEqual({ ids: ["1-3"] });

    await page.getByRole("button", { name: "New webhook…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await faultsOfLooks(page, "webhook", "light")).toEqual([]);
    await dialog.getByLabel("Name").fill("mine");
    await dialog.getByLabel("Address").fill("https://hook.example/x");
    const shown = await dialog.getByText(/^whsec_/).textContent();
    const created = page.waitForRequest(
      (request) => request.method() === "POST" && request.url().endsWith("/webhooks"),
    );
    await dialog.getByRole("button", { name: "Add the webhook" }).click();
    const body = (await created).postDataJSON();
    expect(newWebhook.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({ name: "mine", secret: shown, events: ["job.completed", "job.failed", "job.stopped"] });
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Change archive-import…" }).click();
    await dialog.waitFor();
    expect(await faultsOfLooks(page, "webhook editor", "light")).toEqual([]);
    await dialog.getByLabel("New address").fill("https://hook.example/y");
    await dialog.getByLabel("A node is lost").check();
    await dialog.getByLabel("Send its messages").click();
    const changed = page.waitForRequest((request) => request.method() === "PUT");
    await dialog.getByRole("button", { name: "Save the webhook" }).click();
    const change = (await changed).postDataJSON();
    expect(webhookChange.safeParse(change).success).toBe(true);
    expect(change).toMatchObject({
      ...{ url: "https://hook.example/y", is_on: expect.any(Boolean) },
      events: expect.arrayContaining(["node.lost"]),
    });
    await dialog.waitFor({ state: "detached" });
    await context.close();
  });
});
