import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { circlesOf, readImports, sourceFiles } from "./imports.ts";
import { loadedModules } from "./loaded-modules.ts";
import { longFunctions } from "./long-functions.ts";

/**
 * `node test/house/measure.ts [--time COMMANDS] [--rounds N] [TREE…]` prints a table of how large the rooms of one or more
 * checkouts are, and how they hang together. With `--time check,test` it also runs these npm scripts of all trees in
 * alternation, N rounds, on otherwise idle cores.
 */
type Measured = ReadonlyMap<string, string | number>;

const main = async (words: readonly string[]): Promise<void> => {
  const flagOf = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
  const flagged = new Set(["--time", "--rounds"].flatMap((flag) => [flag, flagOf(flag)]));
  const named = words.filter((word) => !flagged.has(word));
  const trees = (named.length > 0 ? named : ["."]).map((tree) => resolve(tree));
  const columns: Measured[] = [];
  for (const tree of trees)
    columns.push(new Map([...measureRooms(tree), ...measureCode(tree), ...(await measureLoad(tree))]));
  print(trees, columns);
  const commands = flagOf("--time")?.split(",") ?? [];
  for (let round = 1; round <= Number(flagOf("--rounds") ?? 1); round += 1) {
    for (const command of commands) for (const tree of trees) console.log(timed(tree, command, round));
  }
};

const print = (trees: readonly string[], columns: readonly Measured[]): void => {
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  console.log(`| what | ${trees.join(" | ")} |\n| --- |${" --- |".repeat(trees.length)}`);
  for (const name of names) console.log(`| ${name} | ${columns.map((column) => column.get(name) ?? "").join(" | ")} |`);
};

const trackedFiles = (tree: string): string[] =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: tree, encoding: "utf8" })
    .split("\n")
    .filter((path) => path !== "");

const decided = ["coordinator", "agent", "shared", "media"];

/** Files and lines of the top folders and of their rooms, and the folder with most files directly inside. */
const measureRooms = (tree: string): Measured => {
  const files = trackedFiles(tree).filter((path) => /\.(tsx?|css|sql)$/.test(path));
  const lines = new Map(files.map((path) => [path, readFileSync(join(tree, path), "utf8").split("\n").length - 1]));
  const sizeOf = (some: readonly string[]) =>
    `${some.length} files, ${some.reduce((sum, path) => sum + (lines.get(path) ?? 0), 0)} lines`;
  const rooms = new Set(
    files.flatMap((path) => [topOf(path), roomOf(path)]).filter((room) => room.includes("/") || room !== ""),
  );
  const sizes = [...rooms]
    .sort()
    .map((room): [string, string] => [room, sizeOf(files.filter((path) => path.startsWith(`${room}/`)))]);
  const together = files.filter((path) => decided.includes(topOf(path)));
  return new Map([...sizes, [`${decided.join(" + ")}`, sizeOf(together)], ["largest folders", largestFolders(tree)]]);
};

const topOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : "");
const roomOf = (path: string): string => (path.split("/").length > 2 ? path.split("/").slice(0, 2).join("/") : "");

const largestFolders = (tree: string): string => {
  const inside = new Map<string, number>();
  for (const path of trackedFiles(tree)) inside.set(dirname(path), (inside.get(dirname(path)) ?? 0) + 1);
  const largest = [...inside].sort(([, one], [, other]) => other - one).slice(0, 5);
  return largest.map(([folder, count]) => `${folder} ${count}`).join(", ");
};

const measureCode = (tree: string): Measured => {
  const files = sourceFiles(tree);
  const imports = readImports(tree, files);
  const sizes = (circles: readonly (readonly string[])[]) => circles.map(({ length }) => length).join(", ") || "none";
  return new Map<string, string | number>([
    ["functions above 60 lines", longFunctions(tree, files, 60).length],
    ["circles of values (files in each)", sizes(circlesOf(imports, ["value"]))],
    ["circles of types (files in each)", sizes(circlesOf(imports, ["value", "type"]))],
    ["store methods", storeMethods(tree)],
  ]);
};

/** The functions of a really opened store. */
const storeMethods = (tree: string): number => {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  const count = `
    import { openSqlite } from "${tree}/coordinator/store/sqlite/open.ts";
    const store = openSqlite(${JSON.stringify(folder)});
    const methods = (value) => typeof value === "function" ? 1
      : value !== null && Object.getPrototypeOf(value) === Object.prototype ? Object.values(value).map(methods).reduce((a, b) => a + b, 0) : 0;
    console.log(methods(store));
    await store.close();`;
  try {
    const words = ["--input-type=module", "-e", count];
    return Number(
      execFileSync(process.execPath, words, { cwd: tree, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const measureLoad = async (tree: string): Promise<Measured> =>
  new Map(
    (await loadedModules(tree)).map(({ program, modules, ofElements }) => [
      `modules loaded by \`${program}\``,
      `${modules}, ${ofElements} of elements`,
    ]),
  );

const timed = (tree: string, command: string, round: number): string => {
  const begun = performance.now();
  const { status, stdout } = spawnSync("npm", ["run", command], { cwd: tree, encoding: "utf8", maxBuffer: 1e9 });
  const took = Math.round((performance.now() - begun) / 1000);
  const counted = stdout.trim().split("\n").at(-1);
  return `round ${round}: npm run ${command} in ${tree}: ${took} s, exit ${status}, ${counted}`;
};

await main(process.argv.slice(2));
