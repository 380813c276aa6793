import { expect, test } from "vitest";
import { openTestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aWorldPerTest } from "../../../helpers/farm/worlds.ts";
import { commandEnv, documentsOf, runHere } from "../../../helpers/processes/cli.ts";

const world = aWorldPerTest({
  open: (folder) => openTestCoordinator(folder),
  close: ({ coordinator }) => coordinator.close(),
});

const run = (words: string[], stdin?: unknown) =>
  runHere(["webhooks", ...words], { env: commandEnv(world()), stdin: JSON.stringify(stdin) });
const ask = async (words: string[], stdin?: unknown) => documentsOf((await run([...words, "--json"], stdin)).stdout);

const studio = {
  ...{ name: "studio", url: "https://hooks.example/a-key" },
  events: ["job.completed", "job.failed"],
};
const secretIn = (text: string): string | undefined => /whsec_[\w+/]{43}=/.exec(text)?.[0];

test("a webhook is added with a secret of its own, listed without it, changed, switched off and removed", async () => {
  expect((await run([])).stderr).toContain("There are no webhooks");
  const added = await run(["add", "-"], studio);
  expect(added).toMatchObject({ status: 0, stderr: "" });
  expect(added.stdout).toMatch(
    /^Webhook "studio" is told at https:\/\/hooks\.example\nsecret {2}whsec_.+shown only once/,
  );
  const listed = await run([]);
  expect(listed.stdout).toMatch(/^studio +https:\/\/hooks\.example +on +0 +0 +0 +job\.completed,job\.failed$/m);
  expect(secretIn(listed.stdout) ?? secretIn((await run(["--json"])).stdout)).toBeUndefined();
  const moved = await ask(["change", "-"], { name: "studio", url: "https://new.example/", events: ["node.lost"] });
  expect(moved).toMatchObject([{ name: "studio", origin: "https://new.example", events: ["node.lost"] }]);
  expect((await run(["off", "studio"])).stdout).toBe(
    'Webhook "studio" is off; it would be told at https://new.example\n',
  );
  expect(await ask([])).toMatchObject([{ is_on: false, off: "hand" }]);
  expect(await ask(["on", "studio"])).toMatchObject([{ is_on: true }]);
  expect((await run(["remove", "studio"])).stdout).toContain('Webhook "studio" is removed');
  expect(await ask([])).toEqual([]);
});

test("a secret is replaced by a new one or by one from a file", async () => {
  const [made] = await ask(["add", "-"], studio);
  const first = secretIn(JSON.stringify(made));
  const rotated = await run(["rotate", "studio", "--keep-hours", "2"]);
  expect(rotated.stdout).toMatch(
    /^Webhook "studio" signs with the new secret, and until \S+ with the old one as well\n/,
  );
  expect([secretIn(rotated.stdout), first]).toEqual([expect.any(String), expect.any(String)]);
  expect(secretIn(rotated.stdout)).not.toBe(first);
  const own = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const given = await run(["rotate", "studio", "-", "--keep-hours", "0"], { secret: own });
  expect(given).toMatchObject({ status: 0, stdout: 'Webhook "studio" signs with the new secret alone\n' });
  expect(await run(["rotate", "studio", "-"], { secret: "whsec_short" })).toMatchObject({ status: 1 });
  expect(await run(["rotate", "studio", "--keep-hours", "999"])).toMatchObject({ status: 2 });
});

test("messages are listed, shown and sent again", async () => {
  await run(["add", "-"], { ...studio, url: "http://127.0.0.1:9/" });
  const tried = await run(["test", "studio"]);
  expect(tried).toMatchObject({ status: 1, stdout: expect.stringMatching(/^The test did not arrive: /) });
  await run(["test", "studio"]);
  const [newest, older] = await ask(["messages", "studio", "--state", "given_up"]);
  expect([newest, older]).toMatchObject([{ type: "webhook.test", state: "given_up", tries: 1 }, {}]);
  const part = await run(["messages", "studio", "--take", "1"]);
  expect(part).toMatchObject({ status: 0, stderr: "1 of 2 messages\n" });
  expect(part.stdout).toMatch(new RegExp(`^${newest?.id} .+webhook\\.test +- +given_up +1 +- `, "m"));
  expect(await ask(["messages", "studio", "--skip", "1"])).toMatchObject([{ id: older?.id }]);
  expect((await run(["messages", "studio", "--state", "delivered"])).stderr).toContain("No message");
  expect(await ask(["message", "studio", String(older?.id)])).toMatchObject([{ message: { type: "webhook.test" } }]);
  expect((await run(["send-again", "studio", String(older?.id)])).stdout).toBe("Sent again: 1 message\n");
  expect(await ask(["send-again", "studio", "--given-up"])).toMatchObject([{ count: expect.any(Number) }]);
});

test("what is wrong is said in words", async () => {
  const problem = async (words: string[], stdin?: unknown) => {
    const { status, stderr } = await run(words, stdin);
    return [status, stderr.split("\n")[0]];
  };
  expect(await problem(["remove", "nobody"])).toEqual([1, 'There is no webhook "nobody"']);
  expect(await problem(["change", "-"], { is_on: true })).toEqual([2, expect.stringContaining('it needs "name"')]);
  expect(await problem(["add", "-"], { ...studio, events: ["job.lost"] })).toEqual([
    1,
    expect.stringContaining("events"),
  ]);
  expect(await problem(["messages", "studio", "--take", "501"])).toEqual([2, expect.stringContaining("--take")]);
  expect(await problem(["messages", "studio", "--state", "late"])).toEqual([2, expect.stringContaining("--state")]);
  expect(await problem(["send-again", "studio"])).toEqual([2, expect.stringContaining("--given-up")]);
  expect(await problem(["send-again", "studio", "1-1", "--given-up"])).toEqual([
    2,
    expect.stringContaining("--given-up"),
  ]);
});
