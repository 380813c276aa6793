import { expect, test } from "vitest";
import { documentsOf, runHere } from "../../../helpers/processes/cli.ts";

const env = { XDG_CONFIG_HOME: "/home/ada/.config" };

test("--print shows the file of each system, with the words behind --, and installs nothing", async () => {
  const words = ["--data", "/srv/farm", "--print", "--json"];
  const run = (...more: string[]) => runHere(["service", "install", ...words, ...more], { env });
  const { status, stdout } = await run(
    "--platform",
    "linux",
    "--system",
    "--",
    "--root",
    "/srv/media",
    "--mount=s3://b=/mnt/b",
  );
  const [unit] = documentsOf(stdout) as { path: string; text: string }[];
  expect([status, unit?.path]).toEqual([0, "/etc/systemd/system/mediafarm.service"]);
  expect(unit?.text).toMatch(
    /^ExecStart=".*" ".*" "up" "--data" "\/srv\/farm" "--root" "\/srv\/media" "--mount=s3:\/\/b=\/mnt\/b"$/m,
  );
  expect(unit?.text).toContain('ReadWritePaths="/srv/farm" "/srv/media" "/mnt/b"\n');
  const [task] = documentsOf((await run("--platform", "win32", "--agent")).stdout);
  expect(task?.text).toMatch(/<Arguments>.* agent --data \/srv\/farm<\/Arguments>/);
  const [list] = documentsOf((await run("--platform", "darwin", "--name", "night")).stdout);
  expect(list?.path).toMatch(/\/Library\/LaunchAgents\/app\.mediafarm\.night\.plist$/);
});

test.each([
  [["service"], /service takes one of install, remove, status/],
  [["service", "status", "now"], /service status takes no "now"/],
  [["service", "install", "--print", "--name", "../x"], /--name takes letters/],
  [["service", "install", "--platform", "plan9"], /--platform is one of linux, darwin, win32/],
])("%j is refused", async (words, said) => {
  const { status, stderr } = await runHere(words, { env });
  expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
});
