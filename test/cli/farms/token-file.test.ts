import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepCredentials } from "../../../cli/farms/credentials.ts";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";
import { commandEnv, runHere } from "../../helpers/processes/cli.ts";

const farm = aWorldPerTest({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mediafarm-unit-"));
  const { oapiKey, oapiSecret, authKey, authSecret } = farm().secrets;
  const secrets = { oapi_key: oapiKey, oapi_secret: oapiSecret, auth_key: authKey, auth_secret: authSecret };
  keepCredentials({ XDG_CONFIG_HOME: folder }, farm().folder, `${farm().origin}/v1`, secrets);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(folder, "mediafarm", "token.json");
const list = () => runHere(["jobs", "--json"], { env: { XDG_CONFIG_HOME: folder }, clock: farm().clock });
const tokenKept = (): string => JSON.parse(readFileSync(path(), "utf8")).token;

test("a command uses the token of the one before, and only its user can read it", async () => {
  expect((await list()).status).toBe(0);
  const first = tokenKept();
  expect((await list()).status).toBe(0);
  expect([tokenKept(), statSync(path()).mode & 0o777]).toEqual([first, 0o600]);
});

test("a token that the farm does not know, or a damaged file, is replaced", async () => {
  await list();
  const first = tokenKept();
  writeFileSync(path(), readFileSync(path(), "utf8").replace(first, "old"));
  expect((await list()).status).toBe(0);
  expect(tokenKept()).not.toBe("old");
  writeFileSync(path(), "{");
  expect((await list()).status).toBe(0);
  expect(tokenKept()).toMatch(/./);
});

test("nothing is kept where the secrets come from the environment", async () => {
  const env = { XDG_CONFIG_HOME: folder, ...commandEnv(farm()) };
  expect((await runHere(["jobs"], { env, clock: farm().clock })).status).toBe(0);
  expect(() => statSync(path())).toThrow("ENOENT");
});
