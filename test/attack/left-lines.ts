import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { openSqlite } from "../../coordinator/store/sqlite/open.ts";
import { checkTrail } from "../../coordinator/trail/check.ts";
import { takeLeftLines } from "../../coordinator/trail/left-lines.ts";
import { aFolder } from "../helpers/agent/agent-fixture.ts";
import type { Attack, Tally } from "./attack.ts";

const note = { at: 5, user: "ada", pid: 1, action: "backup", outcome: "done", about: { file: "/b/farm" } };
const own = "0123456789abcdef";
const nameOf = (nr: number, ending = "json") => `${nr}-${own}.${ending}`;

type Way = {
  readonly what: string;
  /** Lays it into the folder of lines. */
  readonly lay: (folder: string) => void;
  /** Lines that may come of it. */
  readonly lines?: number;
};

const text = (what: string, content: string | Buffer, lines = 0): Way => ({
  ...{ what, lines },
  lay: (folder) => writeFileSync(join(folder, nameOf(1)), content),
});
const json = (what: string, more: object, lines = 0): Way => text(what, JSON.stringify({ ...note, ...more }), lines);

const ways: readonly Way[] = [
  text("a file of ten megabytes", Buffer.alloc(10_000_000, 0x20)),
  text("an empty file", ""),
  text("bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0xd8])),
  text("lists in lists", "[".repeat(15_000)),
  text("a number", "1e999"),
  text("names of every object", `{"__proto__":{"at":1},"constructor":1}`),
  json("another's name as who did it", { who: "Olga" }),
  json("an action of two lines", { action: "backup\nrestore" }),
  json("an outcome of two words", { outcome: "done well" }),
  json("a time beyond all", { at: 1e300 }),
  json("a time before all", { at: -1 }),
  json("a process that is none", { pid: 0 }),
  json("a fact whose name is two lines", { about: { "a\nuser=root": "x" } }),
  json("a fact that is a list", { about: { file: ["a"] } }),
  json("a user of two lines", { user: "ada\nroot" }, 1),
  json("a fact of two lines", { about: { file: "a\nuser=root line=0" } }, 1),
  json("a fact that turns the line around", { about: { file: "\u202eevil" } }, 1),
  json("a password in a fact", { about: { file: "ftp://u:a-password@host/a" } }, 1),
  {
    what: "a link to another file",
    lay: (folder) => {
      writeFileSync(join(folder, "../elsewhere"), JSON.stringify(note));
      symlinkSync("../elsewhere", join(folder, nameOf(1)));
    },
  },
  { what: "a link to itself", lay: (folder) => symlinkSync(nameOf(1), join(folder, nameOf(1))) },
  { what: "a link to a device", lay: (folder) => symlinkSync("/dev/zero", join(folder, nameOf(1))) },
  { what: "a folder", lay: (folder) => mkdirSync(join(folder, nameOf(1))) },
  {
    what: "a thousand that never end",
    lay: (folder) => {
      for (let nr = 0; nr < 1000; nr += 1)
        writeFileSync(join(folder, nameOf(nr, "begun")), JSON.stringify({ ...note, pid: process.pid }));
    },
  },
  {
    what: "five hundred that are broken",
    lay: (folder) => {
      for (let nr = 0; nr < 500; nr += 1) writeFileSync(join(folder, nameOf(nr)), "{");
    },
  },
  {
    what: "one that cannot be put aside",
    lay: (folder) => {
      writeFileSync(join(folder, nameOf(1)), "{");
      mkdirSync(join(folder, `${nameOf(1)}.broken/full`), { recursive: true });
    },
  },
];

/** Files that no command left lie in the folder of its lines: the line behind them is told, once, and the chain is whole. */
export const leftLines: Attack = {
  name: "lines that commands left",
  run: async () => {
    const fell: string[] = [];
    const awake = setInterval(() => undefined, 1000); // the thread that reads keeps nobody awake
    for (const way of ways) {
      const found = await tryWay(way).catch((problem) => `it broke: ${problem}`);
      if (found !== undefined) fell.push(`${way.what}: ${found}`);
    }
    clearInterval(awake);
    return [{ what: "files that are no lines", tried: ways.length, fell } satisfies Tally];
  },
};

const behind = { ...note, action: "behind" };

const tryWay = async ({ lay, lines = 0 }: Way): Promise<string | undefined> => {
  const { path, remove } = await aFolder();
  const store = openSqlite(path);
  try {
    const folder = join(path, "audit");
    mkdirSync(folder);
    lay(folder);
    writeFileSync(join(folder, `999999-${own.replace("0", "9")}.json`), JSON.stringify(behind));
    const needs = { log: pino({ level: "silent" }), store };
    for (let times = 0; times < 3; times += 1) await takeLeftLines(needs, path);
    const told = await store.trail.after(0, 5000);
    const others = told.filter(({ action }) => action !== "behind");
    if (told.length - others.length !== 1) return `the line behind it was told ${told.length - others.length} times`;
    if (others.length > lines) return `${others.length} lines came of it`;
    const strange = told.find(
      ({ about }) => /[\n\u202e]|a-password/.test(about) || !/ user=(?:\S+|"[^"]*")$/.test(about),
    );
    if (strange) return `it says ${strange.about}`;
    const { problem } = await checkTrail(store);
    return problem ?? (readdirSync(folder).includes(`999999-${own.replace("0", "9")}.json`) ? "it stays" : undefined);
  } finally {
    await store.close();
    await remove();
  }
};
