import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installationAt } from "../../../cli/upgrade/installation.ts";
import { controlOf } from "../../../cli/upgrade/packagings.ts";
import { newestUpgrade } from "../../../cli/upgrade/records.ts";
import { rollBack } from "../../../cli/upgrade/rollback.ts";
import { performUpgrade, prepareUpgrade, type Upgrading } from "../../../cli/upgrade/upgrade.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";

test.each([
  ["/usr/lib/mediafarm/server/dist", { kind: "deb" }],
  [
    "/opt/n/lib/node_modules/mediafarm/server/dist",
    { kind: "npm", folder: "/opt/n/lib/node_modules/mediafarm", place: ["--global", "--prefix", "/opt/n"] },
  ],
  [
    "/srv/farm/node_modules/mediafarm/server/dist",
    { kind: "npm", folder: "/srv/farm/node_modules/mediafarm", place: ["--prefix", "/srv/farm"] },
  ],
  ["/home/ada/mediafarm/cli/upgrade", undefined],
  ["/opt/Mediafarm/resources/app/dist", undefined],
])("the code in %s was installed as %j", (folder, installation) => {
  expect(installationAt(folder)).toEqual(installation);
});

test("what a package says of itself is told from what the system says of it", () => {
  const status =
    "Package: mediafarm\nStatus: install ok installed\nVersion: 1\nConffiles:\n /etc/a 0123\n /etc/b 4567\nDescription: a farm\n of machines\n";
  expect(controlOf(status)).toBe("Package: mediafarm\nVersion: 1\nDescription: a farm\n of machines\n");
});

let dataDir: string;
/** What was done, in its order. */
let done: string[];
let rehearsal: () => object;
beforeEach(() => {
  dataDir = aFolder();
  mkdirSync(join(dataDir, "coordinator"));
  writeFileSync(join(dataDir, "coordinator/farm.db"), "newer");
  done = [];
  rehearsal = () => ({ from: "1.0.0", to: "2.0.0", jobs: 7, schema: { from: 40, to: 41 } });
});
afterEach(() => removeFolder(dataDir));

/** The programs of both versions. */
const perform: Upgrading["performAsOwner"] = async ([, ...words]) => {
  const [verb = "", file = ""] = words;
  done.push(words.filter((word) => !word.startsWith("/") && word !== "--json").join(" "));
  if (verb === "--version") return '{"version":"2.0.0"}';
  if (verb === "rehearse") return JSON.stringify(rehearsal());
  if (verb === "backup" && file !== "--check") writeFileSync(file, "a backup");
  if (verb === "restore") writeFileSync(join(dataDir, "coordinator/farm.db"), "older");
  return JSON.stringify({ jobs: verb === "restore" ? 7 : 9 });
};
const packaging: Upgrading["packaging"] = {
  ending: ".deb",
  unpack: async () => ["new"],
  keep: async (folder) => join(folder, "old.deb"),
  install: async (file) => void done.push(`install ${file.split("/").at(-1)}`),
};
const upgrading = (): Upgrading => ({
  ...{ dataDir, packaging, program: ["old"], version: "1.0.0", performAsOwner: perform, now: 0, say: () => {} },
});

test("an upgrade is rehearsed on a backup by the newer program, and undone with the farm of before where the database changed", async () => {
  await performUpgrade(await prepareUpgrade("/new.deb", upgrading()), upgrading());
  expect(done).toEqual(["--version", "backup --data", "rehearse", "install new.deb"]);
  const { folder, record } = newestUpgrade(dataDir);
  expect(record).toMatchObject({ from: "1.0.0", to: "2.0.0", changes_database: true });
  done = [];
  const call = { ...upgrading(), folder, record, restoring: false };
  expect(await rollBack(call)).toEqual({ restored: true, jobs: { before: 9, after: 7 }, aside: join(folder, "after") });
  expect(done).toEqual(["backup --check", "backup --data", "restore --data", "install old.deb"]);
  expect(readFileSync(join(dataDir, "coordinator/farm.db"), "utf8")).toBe("older");
  expect(readFileSync(join(folder, "after/farm.db"), "utf8")).toBe("newer");
  expect(() => newestUpgrade(dataDir)).toThrow("No upgrade by mediafarm upgrade is known");
});

test("where the database stays as it is, going back changes the program alone", async () => {
  rehearsal = () => ({ from: "1.0.0", to: "2.0.0", jobs: 7, schema: { from: 40, to: 40 } });
  await performUpgrade(await prepareUpgrade("/new.deb", upgrading()), upgrading());
  done = [];
  expect(await rollBack({ ...upgrading(), ...newestUpgrade(dataDir), restoring: false })).toMatchObject({
    restored: false,
  });
  expect(done).toEqual(["install old.deb"]);
});

test("a rehearsal that fails leaves nothing behind and installs nothing", async () => {
  rehearsal = () => {
    throw new AppError("UNAVAILABLE", "no such table");
  };
  await expect(prepareUpgrade("/new.deb", upgrading())).rejects.toThrow(/^Nothing was changed.*no such table/);
  expect(readdirSync(join(dataDir, "upgrades"))).toEqual([]);
  expect(done.filter((each) => each.startsWith("install"))).toEqual([]);
  expect(existsSync(join(dataDir, "coordinator/farm.db"))).toBe(true);
});
