import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Locator, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { usualScopes } from "../../shared/people/scopes.ts";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../helpers/media/media-tools.ts";
import { axeFindings, openPage, picture } from "../helpers/pages/browser.ts";
import { bigLog, longName } from "../helpers/pages/canned-farm.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { beginAtJobs, beginAtOverview, openFarm, password } from "../helpers/pages/pages-farm.ts";
import { documentsOf, runHere } from "../helpers/processes/cli.ts";
import { kill, until } from "../helpers/processes/farm-processes.ts";

const source = [
  "-f",
  "lavfi",
  "-i",
  "testsrc2=size=320x180:rate=25:duration=4",
  "-f",
  "lavfi",
  "-i",
  "sine=duration=4",
];
const browser = useBrowser();

/** A farm without nodes or jobs, for stories that leave it as they found it; its owner was made by the first of them. */
let quiet: Awaited<ReturnType<typeof openFarm>>["farm"] | undefined;
afterAll(async () => {
  await quiet?.[Symbol.asyncDispose]();
});

const enterQuietFarm = async () => {
  if (quiet === undefined) {
    const { farm, page, context } = await openFarm(browser());
    quiet = farm;
    await beginAtOverview(page);
    await context.close();
  }
  const watched = await openPage(browser());
  await watched.page.goto(`${new URL(quiet.baseUrl).origin}/#/overview`);
  await signIn(watched.page, "first owner");
  await watched.page.getByRole("navigation", { name: "Pages" }).waitFor();
  return { farm: quiet, ...watched };
};

const signIn = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

/** Browsers tell each refused or failed request; who is not signed in yet, or has no coordinator, expects them. */
const usual = /status of 401|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;
const unexpected = (complaints: readonly string[], alsoExpected = usual): string =>
  complaints.filter((text) => !usual.test(text) && !alsoExpected.test(text)).join("\n");

/** As people do; `fill` would have the browser style what it replaces, which the pages' policy forbids and tells. */
const replaceText = async (editor: Locator, text: string): Promise<void> => {
  await editor.click();
  await editor.press("Control+A");
  await editor.page().keyboard.insertText(text);
};

describePages("pages of a real farm", () => {
  const media = ffmpegPath === undefined ? test.skip : test;
  media("the first owner signs in, watches a job run to its end, opens its log; a node appears and goes", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    await picture(page, "live-welcome");
    expect(await axeFindings(page)).toEqual([]);
    await beginAtJobs(page);

    await page.getByRole("link", { name: "Nodes", exact: true }).first().click();
    await page.getByText("No nodes yet.").waitFor();
    const agent = await farm.startAgent("workstation");
    const row = page.getByRole("row").filter({ hasText: "workstation" });
    await row.getByText("Idle").waitFor();
    await row.getByRole("button", { name: "Pause" }).click();
    await row.getByText("Paused").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row.getByText("Idle").waitFor();

    const clip = await make(join(farm.media, "clip.mp4"), ...source);
    const job = aChain([aFileSource(clip), aTranscodeTo(join(farm.folder, "out"), [anMp4Target()])], {
      name: longName,
    });
    await page.getByRole("link", { name: "Submit", exact: true }).click();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await replaceText(page.getByLabel("The job as JSON"), JSON.stringify({ ...job, priority: 999 }));
    await page.getByText("priority").last().waitFor();
    await replaceText(page.getByLabel("The job as JSON"), JSON.stringify(job));
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "2026" }).waitFor();
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Completed").waitFor();
    await page.getByRole("list", { name: "Files" }).getByText("clip_made.mp4").waitFor();
    await picture(page, "live-job");
    await page.getByRole("log").first().waitFor();
    await picture(page, "live-job");
    await page.getByRole("link", { name: "Jobs", exact: true }).first().click();
    await page.getByRole("row").filter({ hasText: "Completed" }).waitFor();

    await kill(agent);
    await page.getByRole("link", { name: "Nodes", exact: true }).first().click();
    await row.getByText("Lost").waitFor();
    await picture(page, "live-nodes");
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });

  test("a coordinator that goes away is told with the data's age, and the page returns by itself", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    await beginAtJobs(page);
    await kill(farm.coordinator());
    const banner = page.getByText(/has not answered for \d+ s/);
    await banner.waitFor();
    expect(await banner.locator("..").textContent()).toMatch(/What you see is from \d\d:\d\d:\d\d/);
    await picture(page, "live-away");
    expect(await axeFindings(page)).toEqual([]);
    await farm.restartCoordinator();
    await banner.waitFor({ state: "detached" });
    const id = await farm.submit(aChain([aFileSource("/nowhere")], { name: "after the return" }));
    // Signed in as before: the session outlives a restart. A notice says its name as well: no node can have it.
    await page.getByRole("row").filter({ hasText: "after the return" }).click();
    await page.getByText(`Job ${id}`).first().waitFor();
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });

  test("an owner makes an API user and looks up the pair; a program gets in with both until it is revoked", async () => {
    const { farm, page, context, complaints } = await enterQuietFarm();
    await page.getByRole("link", { name: "Account", exact: true }).click();
    await page.getByLabel("Name of a new API user").fill("the archive");
    // What it may do, and to whose jobs: a program with a vault's scope and a group, and without that to submit.
    const may = page.getByRole("group", { name: "It may" });
    expect(await may.getByRole("checkbox", { checked: true }).count()).toBe(usualScopes.length);
    await may.getByLabel("Submit, change, stop, retry and delete jobs").uncheck();
    await may.getByLabel("Use and change the credentials vault").check();
    await page.getByLabel("It reaches").selectOption("group");
    await page.getByLabel("Its group").fill("archivists");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Make an API user" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Shown only once").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const [auth_key = "", auth_secret] = await dialog.getByRole("definition").locator("code").allTextContents();
    await picture(page, "live-api-user");
    await dialog.getByRole("button", { name: "I have kept it" }).click();
    const item = page.getByRole("list", { name: "API users" }).getByRole("listitem").filter({ hasText: "the archive" });
    await item.getByText("It reaches what its group sent. — Group: archivists").waitFor();
    expect(await item.textContent()).not.toContain("Submit, change");
    expect(await may.getByRole("checkbox", { checked: true }).count()).toBe(usualScopes.length);

    await page.getByRole("button", { name: "Show secret…" }).click();
    await dialog.getByLabel("Your password again").fill("not the password");
    await dialog.getByRole("button", { name: "Show" }).click();
    await dialog.getByText("is wrong").waitFor();
    await dialog.getByLabel("Your password again").fill(password);
    await dialog.getByRole("button", { name: "Show" }).click();
    await dialog.getByText("OAPI secret", { exact: true }).waitFor();
    const pair = await dialog.getByRole("definition").locator("code").allTextContents();
    expect(pair).toEqual([farm.secrets.oapi_key, farm.secrets.oapi_secret]);
    await picture(page, "live-oapi");
    await page.keyboard.press("Escape");

    const logIn = async () => {
      const authorization = `Basic ${btoa(pair.join(":"))}`;
      const headers = { authorization, "content-type": "application/json", "x-service-compliance": "20261101" };
      const body = JSON.stringify({ auth_key, auth_secret });
      return (await fetch(`${farm.baseUrl}/login`, { method: "POST", headers, body })).status;
    };
    expect(await logIn()).toBe(200);
    await page.getByRole("button", { name: `Revoke ${auth_key}` }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText(auth_key).waitFor({ state: "detached" });
    expect(await logIn()).toBe(401);
    // One answer of 400 is the wrong password's.
    expect(unexpected(complaints, /status of 400/)).toBe("");
    await context.close();
  });

  test("an owner stores, changes and deletes a credential, and its secret is never seen again", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    await beginAtOverview(page);
    await page.goto(farm.baseUrl.replace(/v1$/, "#/farm"));
    await page.getByText("The vault is empty.").waitFor();
    await page.getByRole("button", { name: "New credential…" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill("archive");
    await form.getByLabel("Kind of storage").selectOption("SFTP");
    await form.getByLabel("Prefix").fill("not an address");
    await form.getByLabel("Password").fill("hush, a secret");
    await form.getByRole("button", { name: "Store" }).click();
    await form.getByText(/must begin with a scheme and a host/).waitFor();
    await form.getByLabel("Prefix").fill("sftp://nas.example.com/films");
    await form.getByRole("button", { name: "Store" }).click();
    const list = page.getByRole("list", { name: "Credentials" });
    await farm.startAgent("edit-07");
    await list.getByRole("button", { name: "Test archive" }).click();
    const said = list.getByRole("list", { name: "What nodes say" });
    await said.getByText("Does not open").waitFor();
    expect(await said.innerText()).toMatch(/edit-07/);
    expect(await said.innerText()).not.toContain("hush");
    await list.getByText("opens sftp://nas.example.com/films").waitFor();
    await list.getByRole("button", { name: "Change archive…" }).click();
    expect(await form.getByLabel("Password").inputValue()).toBe("");
    await form.getByLabel("User name").fill("films");
    await form.getByRole("button", { name: "Change", exact: true }).click();
    await form.waitFor({ state: "detached" });
    const { items } = await farm.client.listCredentials({});
    expect(items).toEqual([
      { name: "archive", kind: "sftp", prefix: "sftp://nas.example.com/films", changed: expect.any(Number) },
    ]);
    await list.getByRole("button", { name: "Delete archive…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
    await page.getByText("The vault is empty.").waitFor();
    expect(unexpected(complaints, /status of 400/)).toBe("");
    await context.close();
  });

  test("presets that a program stored are listed, shown without what opens storage, and deleted", async () => {
    const { farm, page, context, complaints } = await enterQuietFarm();
    const { client } = farm;
    const access = { username: "u", password: "hush" };
    await client.putPreset({ key: "house/proxy", payload: { location: { url: "ftp://h/x", access }, targets: [] } });
    await page.goto(farm.baseUrl.replace(/v1$/, "#/presets"));
    await page.getByRole("button", { name: "Show house/proxy" }).click();
    const json = page.locator("pre");
    await json.waitFor();
    expect(JSON.parse((await json.textContent()) ?? "")).toEqual({
      key: "house/proxy",
      kind: "transcode",
      payload: { location: { url: "ftp://h/x", access: "(hidden)" }, targets: [] },
    });
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "live-preset");
    await page.getByRole("button", { name: "Delete house/proxy…" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("There are no presets.").waitFor();
    expect((await client.listPresets({})).items).toEqual([]);
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });

  test("an owner mounts a bucket for the whole farm and takes it away, while somebody else's mount stays", async () => {
    const { farm, page, context, complaints } = await enterQuietFarm();
    await page.goto(farm.baseUrl.replace(/v1$/, "#/farm"));
    await page.getByText("The farm has no mounts.").waitFor();
    const { client } = farm;
    await client.changeMounts({ set: [{ prefix: "s3://theirs", folders: { posix: "/mnt/theirs" } }] });
    await page.getByRole("button", { name: "New mount…" }).click();
    await page.getByLabel("Prefix").fill("s3://bucket/");
    await page.getByLabel("Folder").fill("Z:\\bucket");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("button", { name: "Remove s3://bucket" }).waitFor();
    const theirs = { prefix: "s3://theirs", folders: { posix: "/mnt/theirs" } };
    expect((await client.listMounts({})).items).toEqual([
      { prefix: "s3://bucket", folders: { win32: "Z:\\bucket" } },
      theirs,
    ]);
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "live-mounts");
    await page.getByRole("button", { name: "Remove s3://bucket" }).click();
    await page.getByRole("button", { name: "Remove s3://bucket" }).waitFor({ state: "detached" });
    expect((await client.listMounts({})).items).toEqual([theirs]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Remove s3://bucket" }).waitFor();
    expect((await client.listMounts({})).items).toEqual([
      { prefix: "s3://bucket", folders: { win32: "Z:\\bucket" } },
      theirs,
    ]);
    expect(unexpected(complaints)).toBe("");
    await client.changeMounts({ remove: ["s3://bucket", "s3://theirs"] });
    await context.close();
  });

  test("an owner adds a workstation by the command of the page, and cuts others off with a new token", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    await beginAtOverview(page);
    await page.getByRole("link", { name: "Nodes", exact: true }).first().click();
    await page.getByLabel("Folder on that machine").fill(farm.folder);
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "live-join");
    await page.getByRole("button", { name: "Copy Command" }).click();
    const copied: string = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(`mediafarm agent --join ${farm.joinToken} --root ${farm.folder}`);
    const [, ...words] = copied.split(" ");
    farm.startCommand([...words, "--name", "second", "--data", farm.dataOf("second")]);
    await page.getByRole("row").filter({ hasText: "second" }).getByText("Idle").waitFor();

    await page.getByRole("button", { name: "Add a node…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Make a new token…" }).click();
    await dialog.getByRole("button", { name: "Replace the token" }).click();
    await dialog.getByText(farm.joinToken, { exact: true }).waitFor({ state: "detached" });
    const token = (await dialog.getByRole("definition").locator("code").allTextContents()).at(-1) ?? "";
    const late = farm.startCommand(["agent", "--join", farm.joinToken, "--data", farm.dataOf("late")]);
    await until("the old token is refused", () => late.stderr().includes("replaced since"));
    const third = farm.startCommand(["agent", "--json", "--join", token, "--data", farm.dataOf("third")]);
    expect(await third.firstLine).toMatchObject({ event: "connected" });
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });

  test("an operator makes a group, puts a node into it and limits a tag, while somebody else's limit stays", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    await beginAtJobs(page);
    const { client } = farm;
    await farm.startAgent("edit-1");
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.getByText("No node belongs to a group.").waitFor();
    await picture(page, "live-farm-empty");
    await page.getByRole("button", { name: "New group…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("gpu");
    await page.getByLabel("Provides").fill("gpu, nvenc,,gpu");
    await page.keyboard.press("Enter");
    const groups = page.getByRole("list", { name: "Compute groups" });
    await groups.getByText("provides gpu, nvenc").waitFor();
    await page.getByRole("button", { name: "New group…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("gpu");
    await page.getByText("There is a group of that name").waitFor();
    await page.keyboard.press("Escape");

    await page.goto(farm.baseUrl.replace(/v1$/, "#/nodes"));
    await page.getByRole("row").filter({ hasText: "edit-1" }).click();
    await page.getByLabel("Group").selectOption("gpu");
    await page.getByLabel("Slots").fill("3");
    await page.getByRole("button", { name: "Change the node" }).click();
    await page.getByText("edit-1 is changed.").waitFor();
    expect((await client.listNodes({})).items).toMatchObject([{ name: "edit-1", group: "gpu", slots: 3, tags: [] }]);
    await page.keyboard.press("Escape");

    await page.goto(farm.baseUrl.replace(/v1$/, "#/farm"));
    await groups.getByText("edit-1").waitFor();
    await client.changeLimits({ set: [{ tag: "theirs", most: 1 }] });
    await page.getByRole("button", { name: "New limit…" }).click();
    await page.getByLabel("Tag", { exact: true }).fill("dolby");
    await page.getByLabel("At most").fill("0");
    await page.getByRole("button", { name: "Set the limit" }).click();
    await page.getByText("0 of 0 run; more must wait").waitFor();
    const both = [
      { tag: "dolby", most: 0, running: 0 },
      { tag: "theirs", most: 1, running: 0 },
    ];
    expect((await client.listLimits({})).items).toEqual(both);
    await page.getByRole("button", { name: "Remove the limit of dolby" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("0 of 0 run; more must wait").waitFor();
    expect((await client.listLimits({})).items).toEqual(both);

    await page.getByRole("button", { name: "Delete gpu…" }).click();
    await page.getByText("1 node then belongs to no group. Tasks that need gpu or nvenc wait").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No node belongs to a group.").waitFor();
    expect((await client.listNodes({})).items).toMatchObject([{ group: null }]);
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });

  test("an owner says how long jobs are kept and what they reach; everybody what they are told of", async () => {
    const { farm, page, context, complaints } = await enterQuietFarm();
    await page.goto(farm.baseUrl.replace(/v1$/, "#/farm"));
    await page.getByLabel("Keep ended jobs for, in days").fill("7");
    await page.getByRole("button", { name: "Change the retention" }).click();
    await page.getByText("Jobs sent from now on are kept for 7 days after their end.").waitFor();
    await page.getByRole("button", { name: "New rule…" }).click();
    await page.getByLabel("What jobs may reach").fill("not a rule!");
    await page.getByRole("button", { name: "Allow" }).click();
    await page
      .getByRole("dialog")
      .getByText(/must be public, a host name/)
      .waitFor();
    await page.getByLabel("What jobs may reach").fill("hooks.studio.lan:8080");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("button", { name: "Remove hooks.studio.lan:8080" }).waitFor();
    expect((await farm.client.listOutbound({})).items).toEqual(["hooks.studio.lan:8080"]);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove hooks.studio.lan:8080" }).click();
    await page.getByText("Jobs can reach public addresses, and whatever each node allows.").waitFor();
    expect((await farm.client.listOutbound({})).items).toEqual([]);

    await page.goto(farm.baseUrl.replace(/v1$/, "#/account"));
    const failures = page.getByRole("checkbox", { name: "A job failed" });
    expect(await failures.isChecked()).toBe(true);
    await failures.uncheck();
    await page.reload();
    await failures.waitFor();
    expect(await failures.isChecked()).toBe(false);
    expect(unexpected(complaints, /status of 400/)).toBe("");
    await context.close();
  });

  test("an operator changes groups and limits, an owner also mounts and the token; a viewer looks", async () => {
    const { farm, page, context, complaints } = await enterQuietFarm();
    await page.getByRole("link", { name: "People", exact: true }).click();
    for (const role of ["operator", "viewer"]) {
      await page.getByLabel("Name", { exact: true }).fill(`the ${role}`);
      await page.getByLabel("First password").fill(password);
      await page.getByLabel("Role", { exact: true }).selectOption(role);
      await page.getByRole("button", { name: "Add" }).click();
      await page.getByRole("list").getByText(`the ${role}`, { exact: true }).waitFor();
    }
    /** The buttons of Farm and Nodes that somebody finds there. */
    const offered = async (name: string) => {
      const other = await openPage(browser());
      await other.page.goto(`${new URL(farm.baseUrl).origin}/#/farm`);
      await signIn(other.page, name);
      await other.page.getByText("The farm has no mounts.").waitFor();
      const main = other.page.getByRole("main").getByRole("button");
      const onFarm = await main.allTextContents();
      await other.page.goto(`${new URL(farm.baseUrl).origin}/#/nodes`);
      await other.page.getByText("No nodes yet.").waitFor();
      const onNodes = (await main.allTextContents()).filter((word) => !/\d$|^Table$|^Timeline$/.test(word));
      const isTold = await other.page.getByText("An owner of the farm can find").isVisible();
      expect(unexpected(other.complaints)).toBe("");
      await other.context.close();
      return { onFarm, onNodes, isTold };
    };
    expect(await offered("the viewer")).toEqual({ onFarm: [], onNodes: [], isTold: true });
    expect(await offered("the operator")).toEqual({
      onFarm: ["New group…", "New limit…"],
      onNodes: [],
      isTold: true,
    });
    const { onFarm, onNodes } = await offered("first owner");
    expect(onFarm).toEqual([
      ...["New group…", "New mount…", "New credential…", "New limit…", "Change the retention", "New rule…"],
      "Send traces there",
    ]);
    expect(onNodes).toContain("Add a node…");
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });

  media("a job that ends in sight keeps its numbers; a failed one is mended and submitted again", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    await beginAtJobs(page);
    await page.goto(farm.baseUrl.replace(/v1$/, "#/jobs"));
    await page.mouse.move(0, 0); // rows hold still under the pointer
    await farm.startAgent();
    const clip = await make(join(farm.media, "clip.mp4"), ...source);
    const parts = [aFileSource(clip), aCopyTo(join(farm.folder, "out"))];
    await farm.submit(aChain(parts, { name: "in sight" }));
    const row = page.getByRole("row").filter({ hasText: "in sight" });
    await row.getByText("Completed").waitFor();
    await row.getByText("2/2").waitFor();

    const lost = await farm.submit(aChain([aFileSource(`${clip}.gone`), parts[1] ?? aCopyTo("")], { name: "mended" }));
    await farm.untilEnded(lost);
    await page.getByRole("row").getByText("mended").click();
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Failed").waitFor();
    // Elements are called by their own part of the name, the job's stands above them.
    await page.getByRole("alert").locator("b").getByText("source", { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, "live-failed");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Clone and edit" }).click();
    await page.getByRole("group", { name: "Edit as" }).getByRole("button", { name: "JSON", exact: true }).click();
    const text = page.getByLabel("The job as JSON");
    await text.waitFor();
    const made = ((await text.textContent()) ?? "").replace(".gone", "").replace("/out", "/again");
    await replaceText(text, made.replace('"mended"', '"mended at last"'));
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "mended at last" }).waitFor();
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Completed").waitFor();
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });

  test("who signs out leaves nothing on the page, and a wrong password is told", async () => {
    const { farm, page, context, complaints } = await enterQuietFarm();
    await page.goto(farm.baseUrl.replace(/v1$/, "#/people"));
    await page.getByText("this is you").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    expect(await page.getByText("this is you").count()).toBe(0);
    await page.getByLabel("Name").fill("first owner");
    await page.getByLabel("Password").fill("another password");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("this is you").waitFor();
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });

  test("an only owner who forgot the password comes back in by the machine's link", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    await beginAtJobs(page);
    const words = ["people", "reset", "first owner", "--json", "--data", join(farm.folder, "farm")];
    const [{ url } = {}] = documentsOf((await runHere(words)).stdout);
    const other = await openPage(browser());
    await other.page.goto(String(url));
    await other.page.getByLabel("New password").fill("a newer password");
    await other.page.getByLabel("Password again").fill("a newer password");
    await picture(other.page, "live-reset");
    await other.page.getByRole("button", { name: "Set the password" }).click();
    await other.page.waitForURL(/#\/overview/);
    // Where the old password was used, nobody is signed in any more.
    await page.reload();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(unexpected([...complaints, ...other.complaints])).toBe("");
    await Promise.all([context.close(), other.context.close()]);
  });

  test("a log of 5 MB opens at once, is searched, followed and saved whole", async () => {
    const { farm, page, context, complaints } = await openFarm(browser());
    await using _farm = farm;
    await beginAtOverview(page);
    await farm.startAgent();
    writeFileSync(join(farm.media, "clip.bin"), "media");
    const id = await farm.submit(
      aChain([aFileSource(join(farm.media, "clip.bin")), aCopyTo(join(farm.folder, "out"))]),
    );
    await farm.untilEnded(id);
    await kill(farm.coordinator());
    const db = new Database(join(farm.folder, "farm/coordinator/farm.db"));
    db.prepare("UPDATE attempts SET log = ?").run(bigLog);
    db.close();
    await farm.restartCoordinator();
    await page.goto(`${new URL(farm.baseUrl).origin}/#/jobs/${id}`);
    await page.getByRole("log").getByText("the needle lies here").waitFor();
    expect(await page.getByRole("log").locator("> div > div").count()).toBeLessThan(200);
    await page.keyboard.press("/");
    await page.keyboard.type("frame 25042");
    await page.getByText("1 of 1", { exact: true }).waitFor();
    await page.getByRole("log").locator("mark").filter({ hasText: "frame 25042" }).waitFor();
    await picture(page, "live-log");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).click();
    const stream = await (await saving).createReadStream();
    let size = 0;
    for await (const chunk of stream) size += chunk.length;
    expect(size).toBe(Buffer.byteLength(bigLog));
    expect(unexpected(complaints)).toBe("");
    await context.close();
  });
});
