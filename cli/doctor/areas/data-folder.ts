import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Inspected, inspectDatabase } from "../../../coordinator/store/sqlite/file/inspect.ts";
import { sizeText } from "../../text/size.ts";
import type { Area, Patient } from "../area.ts";
import { bad, type Finding, ok, warn } from "../finding.ts";

/** The files with secrets, by their place in the data folder. */
const privateFiles = [
  ...["farm.db", "farm.db-wal", "farm.db-shm", "secret.key", "machine.key"].map((name) => join("coordinator", name)),
  join("agent", "identity.json"),
];
const [littleSpace, someSpace] = [1e9, 10e9];

/** The farm's data folder: its disk, who may read its files, and its database. Nothing in it is changed. */
export const dataFolder: Area = {
  name: "data folder",
  limitMs: 60_000,
  look: async (patient) => {
    const { dataDir } = patient;
    const coordinator = join(dataDir, "coordinator");
    if (!existsSync(coordinator))
      return [
        warn("folder", `${dataDir} holds no farm yet`, "Start one with mediafarm up, or name another with --data."),
      ];
    const { bavail, bsize } = await statfs(coordinator);
    return [
      ok("folder", dataDir),
      spaceFinding(bavail * bsize),
      modeFinding(openFiles(dataDir)),
      databaseFinding(patient),
    ];
  },
};

export const spaceFinding = (free: number): Finding => {
  const words = `${sizeText(free)} are free on the disk of the data folder`;
  if (free < littleSpace) return bad("disk space", words, "Free space: a farm that cannot write stops taking work.");
  if (free < someSpace) return warn("disk space", words, "Free space soon, or move the data folder to a larger disk.");
  return ok("disk space", words);
};

/** The files with secrets that others may read or write. Windows has no such modes. */
const openFiles = (dataDir: string): string[] =>
  process.platform === "win32"
    ? []
    : privateFiles
        .map((name) => join(dataDir, name))
        .filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0);

const modeFinding = (open: readonly string[]): Finding =>
  open.length === 0
    ? ok("permissions", "Only the farm's own user reads its secrets")
    : bad("permissions", `Others may read ${open.join(", ")}`, `chmod 600 ${open.join(" ")}`);

const databaseFinding = ({ dataDir, farm, scratch }: Patient): Finding => {
  const file = join(dataDir, "coordinator", "farm.db");
  if (!existsSync(file))
    return farm
      ? ok("database", "The farm runs without a database in this folder: its store is elsewhere")
      : warn(
          "database",
          `${file} is missing`,
          "If the farm is kept in PostgreSQL, nothing is wrong. If not, restore a backup.",
        );
  return inspectedFinding(file, inspectDatabase(file, { isOpen: farm !== undefined, scratch }));
};

const ways: Readonly<Record<Inspected["how"], string>> = {
  live: "read while the farm runs",
  copy: "a copy of it was checked page by page",
  head: "only its head was read",
};

export const inspectedFinding = (file: string, { problem, version, newest, bytes, how }: Inspected): Finding => {
  if (problem !== undefined)
    return bad("database", `${file}: ${problem}`, "Restore a backup: mediafarm restore FILE --data DIR.");
  const words = `${sizeText(bytes)}, version ${version}; ${ways[how]}`;
  if (version !== undefined && version > newest)
    return bad(
      "database",
      `${words}. This program knows version ${newest} at most`,
      "Install the newer Mediafarm again.",
    );
  return ok("database", words);
};
