import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { launchdFile } from "../../../cli/service/launchd.ts";
import type { Service } from "../../../cli/service/service.ts";
import { systemdFile, systemdUnit } from "../../../cli/service/systemd.ts";
import { windowsFile, windowsWord } from "../../../cli/service/windows.ts";

const service: Service = {
  ...{ name: "mediafarm", title: "Mediafarm <of> “Ada” & Ben", folder: "/home/ada", scope: "user", user: "ada" },
  argv: ["/usr/bin/node", "/opt/media farm/main.ts", "up", "--root", '/srv/50% "$HOME" & <cuts>', "--name", "a\\"],
  ...{ dataDir: "/home/ada/.mediafarm", writes: ["/srv/media"] },
};
const machines: Service = { ...service, scope: "system" };

/** What Python's reader of property lists, or of XML, makes of a text; undefined where there is no Python. */
const readByPython = (program: string, text: string): unknown => {
  const { status, stdout, stderr } = spawnSync("python3", ["-c", program], { input: text, encoding: "utf8" });
  if (status === null) return undefined;
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};
const hasPython = spawnSync("python3", ["--version"]).status === 0;

const plistReader = "import sys, json, plistlib; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
const xmlReader = `
import sys, json
import xml.etree.ElementTree as E
def of(e): return [e.tag.split('}')[1], (e.text or '').strip(), [of(c) for c in e]]
print(json.dumps(of(E.fromstring(sys.stdin.buffer.read()))))`;

describe("systemd", () => {
  test("a user's unit starts the words as they are, whatever is in them", () => {
    const { path, text, install, remove, status } = systemdFile(service, { configHome: "/home/ada/.config" });
    expect(path).toBe("/home/ada/.config/systemd/user/mediafarm.service");
    expect(text).toContain(
      'ExecStart="/usr/bin/node" "/opt/media farm/main.ts" "up" "--root" "/srv/50%% \\"$$HOME\\" & <cuts>" "--name" "a\\\\"\n',
    );
    expect(text).not.toContain("\nUser=");
    expect(text).toContain("WantedBy=default.target");
    expect([install.at(-1), remove[0], status]).toEqual([
      ["systemctl", "--user", "enable", "--now", "mediafarm.service"],
      ["systemctl", "--user", "disable", "--now", "mediafarm.service"],
      ["systemctl", "--user", "is-active", "mediafarm.service"],
    ]);
  });

  test("the machine's unit runs as its user, and writes to its own folders only", () => {
    expect(systemdFile(machines, { configHome: "/x" }).path).toBe("/etc/systemd/system/mediafarm.service");
    const lines = systemdUnit(machines).split("\n");
    for (const line of [
      "User=ada",
      "ProtectSystem=strict",
      'ReadWritePaths="/home/ada/.mediafarm" "/srv/media"',
      "CapabilityBoundingSet=",
    ])
      expect(lines).toContain(line);
  });

  test("a line feed in a word begins no setting", () => {
    const unit = systemdUnit({
      ...service,
      argv: ["/usr/bin/node", "x\nExecStartPre=/bin/evil"],
      folder: "/a\nUser=root",
    });
    expect(unit.split("\n").filter((line) => /^(?:ExecStartPre|User)=/.test(line))).toEqual([]);
  });
});

describe.skipIf(!hasPython)("launchd and Windows, read by Python (skipped where there is none)", () => {
  test("the property list says what is started, and when again", () => {
    const { path, text } = launchdFile(service, { home: "/Users/ada", uid: 501 });
    expect(path).toBe("/Users/ada/Library/LaunchAgents/app.mediafarm.mediafarm.plist");
    expect(readByPython(plistReader, text)).toEqual({
      ...{ Label: "app.mediafarm.mediafarm", ProgramArguments: service.argv, WorkingDirectory: "/home/ada" },
      ...{ RunAtLoad: true, KeepAlive: { SuccessfulExit: false }, ExitTimeOut: 60, Umask: 0o022 },
      ...{ StandardOutPath: "/dev/null", StandardErrorPath: "/home/ada/.mediafarm/service.log" },
    });
    const ofMachine = launchdFile(machines, { home: "/Users/ada", uid: 501 });
    expect(ofMachine.path).toBe("/Library/LaunchDaemons/app.mediafarm.mediafarm.plist");
    expect(readByPython(plistReader, ofMachine.text)).toMatchObject({ UserName: "ada" });
  });

  test("the task has the elements of its schema in their order, and the words as they are", () => {
    type Element = readonly [tag: string, text: string, children: readonly Element[]];
    const [tag, , children] = readByPython(xmlReader, windowsFile(machines).text) as Element;
    const find = (name: string) => children.find(([each]) => each === name)?.[2] ?? [];
    expect([tag, children.map(([each]) => each)]).toEqual([
      "Task",
      ["RegistrationInfo", "Triggers", "Principals", "Settings", "Actions"],
    ]);
    expect(find("RegistrationInfo")).toEqual([["Description", service.title, []]]);
    expect(find("Triggers").map(([each]) => each)).toEqual(["BootTrigger"]);
    expect(find("Actions")[0]?.[2]).toEqual([
      ["Command", "/usr/bin/node", []],
      ["Arguments", '"/opt/media farm/main.ts" up --root "/srv/50% \\"$HOME\\" & <cuts>" --name a\\', []],
      ["WorkingDirectory", "/home/ada", []],
    ]);
  });
});

test.each([
  ["plain", "plain"],
  ["two words", '"two words"'],
  ['a "b"', '"a \\"b\\""'],
  ["ends in \\", '"ends in \\\\"'],
  ["", '""'],
])("Windows takes %j as %s", (text, word) => expect(windowsWord(text)).toBe(word));
