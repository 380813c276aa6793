import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCommand } from "../../../cli/command/command.ts";
import { completionScript, shells } from "../../../cli/command/completion.ts";
import { commands as entries } from "../../../cli/commands/index.ts";

const commands = await Promise.all(entries.map(loadCommand));
const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** The folder of these tests has one folder that begins with "t". */
const testFolder = join(import.meta.dirname, "..");

/** What bash offers behind these words, the last of which is being typed. */
const offered = (...words: string[]): string[] => {
  const quoted = ["mediafarm", ...words].map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _mediafarm; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${completionScript("bash", commands)}\n${ask}`;
  const { stdout, stderr, status } = spawnSync("bash", ["--norc", "-c", script], { cwd: testFolder });
  expect([status, String(stderr)]).toEqual([0, ""]);
  return String(stdout).split("\n").filter(Boolean);
};

describe.skipIf(!isThere("bash"))("bash (skipped where there is none)", () => {
  test("offers all verbs, and those that begin as typed", () => {
    expect(offered("")).toEqual([...commands.map(({ name }) => name), "--help", "--version"]);
    expect(offered("jo")).toEqual(["jobs", "job", "join-token"]);
  });

  test("offers a verb's own flags", () => {
    expect(offered("submit", "--")).toEqual(["--wait", "--key", "--farm", "--data", "--json", "--help"]);
    expect(offered("jobs", "--st")).toEqual(["--status"]);
  });

  test("offers a flag's words, folders or nothing", () => {
    expect(offered("jobs", "--status", "")).toEqual(["queued", "active", "completed", "failed"]);
    expect(offered("node", "3", "--state", "p")).toEqual(["paused"]);
    expect(offered("up", "--root", "t")).toEqual(["text"]);
    expect(offered("up", "--port", "")).toEqual([]);
  });

  test("offers files, words or nothing for what is no flag", () => {
    expect(offered("submit", "command/completion.t")).toEqual(["command/completion.test.ts"]);
    expect(offered("mounts", "s")).toEqual(["set"]);
    expect(offered("completion", "z")).toEqual(["zsh"]);
    expect(offered("help", "su")).toEqual(["submit"]);
    expect(offered("stop", "")).toEqual([]);
  });

  test("survives verbs that it does not know", () => {
    expect(offered("nonsense", "")).toEqual([]);
  });
});

test.skipIf(!isThere("zsh"))("zsh takes the script (skipped where it is not installed)", () => {
  const { status, stderr } = spawnSync("zsh", ["-n"], { input: completionScript("zsh", commands) });
  expect([status, String(stderr)]).toEqual([0, ""]);
});

test.skipIf(!isThere("fish"))("fish offers the verbs that begin as typed (skipped where it is not installed)", () => {
  const script = `${completionScript("fish", commands)}\ncomplete -C "mediafarm jo"`;
  const { status, stdout, stderr } = spawnSync("fish", ["--no-config", "-c", script]);
  expect([status, String(stderr)]).toEqual([0, ""]);
  const offered = String(stdout).split("\n").filter(Boolean);
  expect(offered.map((line) => line.split("\t")[0])).toEqual(["job", "jobs", "join-token"]);
});

test.each(shells)("the script for %s names every verb and flag, and its quotes are even", (shell) => {
  const script = completionScript(shell, commands);
  for (const { name, flags } of commands) {
    expect(script).toContain(name);
    for (const flag of Object.keys(flags)) expect(script).toContain(flag);
  }
  const withoutQuotedQuotes = script.replaceAll("'\\''", "").replace(/^#.*$/gm, "");
  expect(withoutQuotedQuotes.split("'").length % 2).toBe(1);
});
