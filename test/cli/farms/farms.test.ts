import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepCredentials } from "../../../cli/farms/credentials.ts";
import { currentAfterStart, farmFolder, farmName } from "../../../cli/farms/farms.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { documentsOf, runHere } from "../../helpers/processes/cli.ts";

describe("which farm is meant", () => {
  const known = (current: string, isChosen?: true) => ({
    current,
    isChosen,
    farms: { "/home/ada/.mediafarm": {}, "/tmp/second": {}, "/srv/second": {} },
  });
  const running =
    (...folders: string[]) =>
    (folder: string) =>
      folders.includes(folder);

  test("is said by its name, its data folder, or not at all", () => {
    const none = running();
    expect(farmName("/home/ada/.mediafarm")).toBe("mediafarm");
    expect(farmFolder(known("/tmp/second"), { farm: "mediafarm" }, none)).toBe("/home/ada/.mediafarm");
    expect(farmFolder(known("/tmp/second"), { farm: "/srv/second" }, none)).toBe("/srv/second");
    expect(farmFolder(known("/tmp/second"), { data: "/nobody/knows" }, none)).toBe("/nobody/knows");
    expect(farmFolder(known("/tmp/second"), {}, none)).toBe("/tmp/second");
    expect(farmFolder(undefined, {}, none)).toBeUndefined();
    expect(() => farmFolder(known("/tmp/second"), { farm: "second" }, none)).toThrow("Several farms are called second");
    expect(() => farmFolder(known("/tmp/second"), { farm: "other" }, none)).toThrow("There is no farm called other");
  });

  test("is the only one that runs, where the current one stands still and nobody chose it", () => {
    expect(farmFolder(known("/tmp/second"), {}, running("/srv/second"))).toBe("/srv/second");
    expect(farmFolder(known("/tmp/second", true), {}, running("/srv/second"))).toBe("/tmp/second");
    expect(farmFolder(known("/tmp/second"), {}, running("/srv/second", "/home/ada/.mediafarm"))).toBe("/tmp/second");
  });

  test("is not changed by a second one that starts beside the first", () => {
    expect(currentAfterStart(known("/srv/second"), "/tmp/second", running("/srv/second"))).toBe("/srv/second");
    expect(currentAfterStart(known("/srv/second", true), "/tmp/second", running())).toBe("/srv/second");
    expect(currentAfterStart(known("/srv/second"), "/tmp/second", running())).toBe("/tmp/second");
    expect(currentAfterStart(known("/gone"), "/tmp/second", running())).toBe("/tmp/second");
    expect(currentAfterStart(undefined, "/tmp/second", running())).toBe("/tmp/second");
  });
});

describe("commands", () => {
  let folder: string;
  let farms: TestCoordinator[];
  const env = () => ({ XDG_CONFIG_HOME: join(folder, "config") });
  const dataOf = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = aFolder();
    farms = [];
    for (const name of ["first", "second"]) {
      const farm = await openTestCoordinator(join(dataOf(name), "coordinator"));
      farms.push(farm);
      const { oapiKey, oapiSecret, authKey, authSecret } = farm.secrets;
      const secrets = { oapi_key: oapiKey, oapi_secret: oapiSecret, auth_key: authKey, auth_secret: authSecret };
      keepCredentials(env(), dataOf(name), `${farm.origin}/v1`, secrets);
      await farm.api("PUT", "/limits", { body: { items: [{ tag: name, most: 1 }] } });
    }
  });
  afterEach(async () => {
    for (const { coordinator } of farms) await coordinator.close();
    removeFolder(folder);
  });

  const run = async (...words: string[]) => {
    const { status, stdout, stderr } = await runHere([...words, "--json"], { env: env() });
    expect([status, stderr]).toEqual([0, ""]);
    return documentsOf(stdout);
  };
  const asked = async (...words: string[]) => (await run("limits", ...words)).map(({ tag }) => tag);

  test("go to the first farm while a second one runs, to the one they name, and to the one that was chosen", async () => {
    expect(await asked()).toEqual(["first"]);
    expect(await asked("--farm", "second")).toEqual(["second"]);
    expect(await asked("--data", dataOf("second"))).toEqual(["second"]);
    expect(await run("use", "second")).toEqual([{ name: "second", data: dataOf("second") }]);
    expect(await asked()).toEqual(["second"]);
    expect(await asked("--farm", "first")).toEqual(["first"]);
  });

  test("of the machine mean the same farm", async () => {
    await run("people", "add", "Ada");
    expect((await run("people")).map(({ name }) => name)).toEqual(["Ada"]);
    expect(await run("people", "--farm", "second")).toEqual([]);
    await run("use", "second");
    expect((await runHere(["people"], { env: env() })).stderr).toContain("Nobody can sign in yet");
  });

  test("a farm that is named is meant whatever the environment says", async () => {
    const around = { ...env(), MEDIAFARM_URL: "http://127.0.0.1:1/v1" };
    const { stdout } = await runHere(["limits", "--json", "--farm", "second"], { env: around });
    expect(documentsOf(stdout)).toMatchObject([{ tag: "second" }]);
  });

  test("list the farms that were started here", async () => {
    const of = (name: string, nr: number, current: boolean, running = true) => ({
      ...{ name, data: dataOf(name), url: `${farms[nr]?.origin}/v1`, running, current },
    });
    expect(await run("farms")).toEqual([of("first", 0, true), of("second", 1, false)]);
    await farms[0]?.coordinator.close();
    expect(await run("farms")).toEqual([of("first", 0, false, false), of("second", 1, true)]);
    // Killed, it leaves its file: no such process is there any more.
    mkdirSync(join(dataOf("first"), "coordinator"), { recursive: true });
    writeFileSync(join(dataOf("first"), "coordinator", "machine.key"), JSON.stringify({ pid: 2 ** 22 + 1 }));
    expect((await run("farms"))[0]).toMatchObject({ name: "first", running: false });
    farms.shift();
  });
});
