import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestCoordinator, type TestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { documentsOf, runHere } from "../../../helpers/processes/cli.ts";

let folder: string;
let farm: TestCoordinator;

beforeEach(async () => {
  folder = aFolder();
  farm = await openTestCoordinator(join(folder, "coordinator"));
});
afterEach(async () => {
  await farm.coordinator.close();
  removeFolder(folder);
});

const run = (...words: string[]) =>
  runHere(["sign-in", ...words, "--data", folder], { env: { XDG_CONFIG_HOME: folder }, clock: farm.clock });

const studio = {
  ...{ name: "studio", issuer: "https://login.example", client_id: "farm", client_secret: "opensesame-4711" },
  roles: { owner: ["admins"], operator: ["editors", "leads"], viewer: [] },
};
const putStudio = async () => {
  const file = join(folder, "studio.json");
  writeFileSync(file, JSON.stringify(studio));
  return run("put", file);
};

test("a provider is stored from a file, listed without its secret, and removed", async () => {
  expect((await run()).stdout).toBe("Passwords are switched on.\n");
  expect(await putStudio()).toMatchObject({ status: 0, stdout: 'Identity provider "studio" is stored\n' });
  expect((await run()).stdout).toBe(
    [
      "Passwords are switched on.",
      "NAME    ISSUER                 OWNERS  OPERATORS       VIEWERS",
      "studio  https://login.example  admins  editors, leads  -",
      "",
    ].join("\n"),
  );
  const { stdout } = await run("--json");
  expect(stdout).not.toContain("opensesame");
  expect(documentsOf(stdout)).toMatchObject([{ passwords: true, providers: [{ name: "studio", client_id: "farm" }] }]);
  expect(await run("remove", "studio")).toMatchObject({ status: 0 });
  expect(await run("remove", "studio")).toMatchObject({
    ...{ status: 1, stderr: 'There is no identity provider "studio"\n' },
  });
});

test("passwords are switched off and on again on the coordinator's machine", async () => {
  expect((await run("passwords", "off")).stderr).toMatch(/^There is no identity provider/);
  await putStudio();
  expect((await run("passwords", "off")).stdout).toBe("Passwords are switched off\n");
  expect((await run()).stdout).toMatch(/^Passwords are switched off\.\n/);
  expect((await run("remove", "studio")).stderr).toMatch(/only way to sign in/);
  expect((await run("passwords", "on")).stdout).toBe("Passwords are switched on\n");
  expect(await run("passwords", "perhaps")).toMatchObject({ status: 2 });
});

test("a second step is needed from a role on, or by nobody", async () => {
  expect((await run("second-step", "operator")).stdout).toBe(
    "Operators and owners need a second step beside the password\n",
  );
  expect((await run()).stdout).toContain("Operators and owners need a second step beside the password.\n");
  expect(documentsOf((await run("--json")).stdout)).toMatchObject([{ second_step: "operator" }]);
  expect((await run("second-step", "nobody")).stdout).toBe("Nobody needs a second step beside the password\n");
  expect((await run()).stdout).toBe("Passwords are switched on.\n");
  expect(await run("second-step", "everybody")).toMatchObject({ status: 2 });
});

test("what is wrong with a provider is told by its field", async () => {
  const file = join(folder, "wrong.json");
  writeFileSync(file, JSON.stringify({ ...studio, issuer: "http://login.example", colour: "red" }));
  const { status, stderr } = await run("put", file);
  expect(status).toBe(1);
  expect(stderr).toMatch(/issuer/);
  expect(stderr).toMatch(/colour/);
  expect((await run("test", "studio")).stderr).toBe('There is no identity provider "studio"\n');
});
