import { describe, expect, test } from "vitest";
import { loadCommand } from "../../../cli/command/command.ts";
import { commands } from "../../../cli/commands/index.ts";
import { documentsOf, runHere } from "../../helpers/processes/cli.ts";

describe("help", () => {
  test.each(["help", "--help", "-h"])("%s lists every verb with its sentence", async (word) => {
    const { status, stdout, stderr } = await runHere([word]);
    expect([status, stderr]).toEqual([0, ""]);
    for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^  ${name}( |$)`, "m"));
    expect(stdout).toContain("Exit status: 0 done, 1 the job failed or the request was refused, 2 wrong usage.");
  });

  test.each(commands.map(({ name }) => name))(
    "of %s shows usage, each flag, examples and exit statuses",
    async (name) => {
      const { status, stdout } = await runHere(["help", name]);
      const entry = commands.find((each) => each.name === name);
      const command = entry && (await loadCommand(entry));
      expect(status).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: mediafarm ${name}`));
      for (const flag of [...Object.keys(command?.flags ?? {}), "json", "help"])
        expect(stdout).toMatch(new RegExp(`^  --${flag}`, "m"));
      expect(command?.examples.length).toBeGreaterThanOrEqual(2);
      expect(stdout).toContain("Exit status\n  0  done\n  1  failed or refused\n  2  wrong usage");
      expect((await runHere([name, "--help"])).stdout).toBe(stdout);
      expect((await runHere([name, "-h"])).stdout).toBe(stdout);
    },
  );

  test("is no wider than the terminal, usage lines and examples apart", async () => {
    const { stdout } = await runHere(["help"], { terminal: 64 });
    const sentences = stdout.split("\n").filter((line) => /^ {28}\S/.test(line));
    expect(sentences.length).toBeGreaterThan(5);
    for (const line of sentences) expect(line.length).toBeLessThanOrEqual(64);
  });
});

describe("wrong usage ends with 2, says what is wrong, and writes nothing to stdout", () => {
  test.each([
    [[], "No command given"],
    [["sumbit"], 'There is no command "sumbit". Did you mean "submit"?'],
    [["frobnicate"], 'There is no command "frobnicate". "mediafarm help" lists them all.'],
    [["help", "jbos"], 'Did you mean "jobs"?'],
    [["jobs", "--stauts", "x"], `Unknown option '--stauts'. Did you mean "--status"?`],
    [["jobs", "--status", "done"], '--status is one of queued, active, completed, failed, not "done"'],
    [["jobs", "--take", "many"], '--take takes a whole number from 0 to 1000000, not "many"'],
    [["jobs", "1"], 'jobs takes no "1"; see: job ID'],
    [["job"], "job takes one job's ID"],
    [["stop"], "name at least one job's ID, or select jobs with --status, --name or --owner"],
    [["stop", "1", "--status", "queued"], "name jobs by ID or select them by flags, not both"],
    [["priority", "50"], "name at least one job's ID, or select jobs with --status, --name or --owner"],
    [["delete"], "delete takes at least one job's ID"],
    [["logs"], "logs takes one task's ID"],
    [["node", "1", "--state", "asleep"], '--state is one of active, drain, paused, not "asleep"'],
    [["mounts", "put"], 'mounts knows set and remove, not "put"'],
    [["mounts", "set"], "mounts set takes at least one PREFIX=DIR"],
    [["mounts", "set", "s3://b"], 'mounts set takes PREFIX=DIR, not "s3://b"'],
    [["people", "promote"], 'people knows add, role, narrow, reset, clear, remove, not "promote"'],
    [["people", "add"], "people add takes one NAME"],
    [["people", "role", "Ada"], "people role takes one NAME and a ROLE of owner, operator, viewer"],
    [["people", "role", "Ada", "king"], 'a role is one of owner, operator, viewer, not "king"'],
    [["people", "add", "Ada", "--role", "king"], '--role is one of owner, operator, viewer, not "king"'],
    [["api-users", "rename"], 'api-users knows create and revoke, not "rename"'],
    [["api-users", "revoke"], "api-users revoke takes one AUTH_KEY"],
    [["api-users", "create", "a", "b"], "api-users create takes at most one NAME"],
    [["account", "show"], 'account knows secret and renew, not "show"'],
    [["submit"], "submit takes one FILE, or - for standard input"],
    [["up", "--port", "high"], '--port takes a whole number from 0 to 65535, not "high"'],
    [["up", "--mount", "s3://b"], '--mount takes PREFIX=DIR, not "s3://b"'],
    [["completion", "tcsh"], "completion takes one of bash, zsh, fish"],
  ])("%j", async (words, problem) => {
    const { status, stdout, stderr } = await runHere([...words, "--json"].slice(words.length === 0 ? 1 : 0));
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(problem);
  });
});

test("--version is the package's", async () => {
  expect((await runHere(["--version"])).stdout).toMatch(/^mediafarm \d+\.\d+\.\d+\n$/);
  expect(documentsOf((await runHere(["--version", "--json"])).stdout)).toEqual([{ version: expect.any(String) }]);
});

test("a word behind -- is no request for help", async () => {
  expect((await runHere(["stop", "--", "--help"])).stderr).toContain("No farm is known here");
});

test("without a farm a command says how to get one", async () => {
  const { status, stderr } = await runHere(["jobs"]);
  expect([status, stderr]).toEqual([1, expect.stringContaining('Start one with "mediafarm up"')]);
});
