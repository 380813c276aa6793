import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aFolder } from "../helpers/agent/agent-fixture.ts";
import { aChain, aFileSource } from "../helpers/farm/job-builders.ts";
import { patienceMs } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { beginAtJobs, password } from "../helpers/pages/pages-farm.ts";
import { exitOf, type Program, startProgram } from "../helpers/processes/farm-processes.ts";

const root = join(import.meta.dirname, "../..");
const browser = useBrowser();

describePages("pages over TLS", () => {
  test("sign the first owner in with a secure cookie, and show a new job at once", async () => {
    const { path: folder, remove } = await aFolder();
    const programs: Program[] = [];
    onTestFinished(async () => {
      for (const { child } of programs) child.kill("SIGKILL");
      await Promise.all(programs.map(({ child }) => exitOf(child)));
      await remove();
    });
    const run = (...words: string[]): Program => {
      const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config") };
      const program = startProgram(join(root, "cli/main.ts"), words, env);
      programs.push(program);
      return program;
    };
    const farm = run("up", "--no-agent", "--json", "--tls", "--port", "0", "--data", join(folder, "farm"));
    const { first_sign_in_url } = (await farm.firstLine) as { first_sign_in_url: string }; // the contract of `up --json`

    const context = await browser().newContext({ ignoreHTTPSErrors: true, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(first_sign_in_url);
    await page.getByLabel("Your name").fill("first owner");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Password again").fill(password);
    await beginAtJobs(page);
    const cookies = (await context.cookies()).map(({ httpOnly, secure, sameSite }) => ({ httpOnly, secure, sameSite }));
    expect([page.url().slice(0, 8), cookies]).toEqual([
      "https://",
      [{ httpOnly: true, secure: true, sameSite: "Strict" }],
    ]);

    const job = join(folder, "job.json");
    writeFileSync(job, JSON.stringify(aChain([aFileSource("/nowhere")], { name: "over TLS" })));
    expect(await exitOf(run("submit", job).child)).toBe(0);
    await page.getByText("over TLS").waitFor(); // an event told of it: nobody loaded the page again
    await context.close();
  });
});
