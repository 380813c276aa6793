import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { startFarm } from "../../helpers/processes/farm-processes.ts";

const hasCurl = spawnSync("curl", ["--fail-with-body", "--version"]).status === 0;
const sumOf = (path: string): string => `sha256:${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
const size = 3_000_000;

/** Lines that somebody types into one shell after the other; prints how many, how long, and the seconds. */
const typed = (what: string, lines: readonly string[], env: NodeJS.ProcessEnv, cwd: string): string => {
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync("bash", ["-ec", lines.join("\n")], { env, cwd, encoding: "utf8" });
  const [keys, seconds] = [lines.join("\n").length, (performance.now() - begun) / 1000];
  console.log(`To fetch an output by ${what}: ${lines.length} lines, ${keys} keys, ${seconds.toFixed(1)} s`);
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
};

/** A farm with one job that made one file; programs find it by their surroundings. */
const startStory = async () => {
  const farm = await startFarm();
  await farm.startAgent();
  const original = join(farm.media, "reel.bin");
  writeFileSync(original, randomBytes(size));
  const id = await farm.submit(aChain([aFileSource(original), aCopyTo(join(farm.folder, "out"))], { name: "reel" }));
  expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
  const { secrets } = farm;
  const env = {
    ...process.env,
    MEDIAFARM_URL: farm.baseUrl,
    MEDIAFARM_OAPI_KEY: secrets.oapi_key ?? "",
    MEDIAFARM_OAPI_SECRET: secrets.oapi_secret ?? "",
    MEDIAFARM_AUTH_KEY: secrets.auth_key ?? "",
    MEDIAFARM_AUTH_SECRET: secrets.auth_secret ?? "",
    ID: id,
  };
  return { farm, env, id, sum: sumOf(original) };
};

describe("somebody at a shell", () => {
  test("fetches what a job made with one command, which checks it and fetches it once", async () => {
    const { farm, env, sum } = await startStory();
    await using _farm = farm;
    const main = `'${process.execPath}' '${join(import.meta.dirname, "../../../cli/main.ts")}'`;
    const shell = { ...env, MEDIAFARM: main };
    const said = typed("the command line", ['eval "$MEDIAFARM download $ID"'], shell, farm.folder);
    expect(said).toMatch(/reel\.bin {2}.*(size|checksum) is right {2}fetched/);
    expect(sumOf(join(farm.folder, "reel.bin"))).toBe(sum);
    expect(typed("the command line again", ['eval "$MEDIAFARM download $ID"'], shell, farm.folder)).toMatch(
      /already here/,
    );
  });

  test.skipIf(!hasCurl)(
    "fetches it with curl by an address that needs no token, and goes on where it broke off",
    async () => {
      const { farm, env, id, sum } = await startStory();
      await using _farm = farm;
      const { items } = await farm.client.listOutputs({ job_id: id, skip: 0, take: 1 });
      // A copy that the system makes is not read, so its checksum may be unknown: curl's own file is compared below.
      const { task_id, position, size: told } = items[0] ?? { task_id: "", position: 0, size: 0 };
      expect(told).toBe(size);
      const { path } = await farm.client.linkOutput({ task_id, position: String(position) });
      const shell = { ...env, ADDRESS: `${farm.baseUrl}${path}` };
      const begun = ['curl -sS --fail -r 0-999999 -o reel.part "$ADDRESS"', "wc -c < reel.part"];
      expect(typed("curl, the first third", begun, shell, farm.folder).trim()).toBe("1000000");
      const rest = ['curl -sS --fail -C - -o reel.part "$ADDRESS"', "sha256sum reel.part"];
      expect(typed("curl, the rest", rest, shell, farm.folder)).toContain(sum.replace("sha256:", ""));
      const other = shell.ADDRESS.replace(/\/media\/(.)/, (_, first) => `/media/${first === "x" ? "y" : "x"}`);
      expect(spawnSync("curl", ["-sS", "-o", "/dev/null", "-w", "%{http_code}", other]).stdout.toString()).toMatch(
        /^40[134]$/,
      );
    },
  );
});
