import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tellReading } from "../../../../coordinator/store/reading.ts";
import { createReader, type Reader } from "../../../../coordinator/store/sqlite/reader.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";

let folder: string;
let reader: Reader;

beforeEach(() => {
  folder = aFolder();
  reader = createReader(join(folder, "farm.db"), Buffer.alloc(32));
});

afterEach(async () => {
  await reader.close();
  removeFolder(folder);
});

const ask = () => reader.all("SELECT 1 AS one", []);

test("a thread that crashes fails what waits for it, and the next query starts another", async () => {
  await expect(Promise.all([ask(), ask()])).rejects.toThrow("unable to open database file");
  new Database(join(folder, "farm.db")).close();
  expect(await ask()).toEqual([{ one: 1 }]);
});

test("a closed reader answers no query", async () => {
  await reader.close();
  await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE", message: "The reading thread has ended" });
});

/** So many numbers from one on. */
const numbers = (most: number): string =>
  `WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < ${most}) SELECT n FROM up`;

test("what a read took of a processor is told to whom it was for, and to nobody else", async () => {
  new Database(join(folder, "farm.db")).close();
  const told: [string, number][] = [];
  const as = (name: string, most: number) =>
    tellReading(
      (ms) => void told.push([name, ms]),
      async () => {
        await Promise.resolve();
        return reader.all(numbers(most), []);
      },
    );
  await Promise.all([as("much", 300_000), reader.all(numbers(300_000), []), as("little", 10)]);
  expect(told.map(([name]) => name).sort()).toEqual(["little", "much"]);
  const took = Object.fromEntries(told);
  expect(took.much).toBeGreaterThan(5 * (took.little ?? 0));
}, 30_000);

test("a long answer comes a few rows in a turn of the loop, in its order, beside others", async () => {
  new Database(join(folder, "farm.db")).close();
  let turn = 0;
  const rowsIn = new Map<number, number>();
  const next = (): void => {
    turn += 1;
    going = setImmediate(next);
  };
  let going = setImmediate(next);
  const read = ({ n }: { readonly n: number }): number => {
    rowsIn.set(turn, (rowsIn.get(turn) ?? 0) + 1);
    return -n;
  };
  const [long, short, all, none] = await Promise.all([
    reader.read(numbers(1001), [], read),
    reader.read(numbers(3), [], ({ n }: { readonly n: number }) => n),
    reader.snapshot([numbers(0), numbers(500), numbers(1)].map((sql) => ({ sql, params: [] }))),
    reader.read(`${numbers(1)} WHERE n > 1`, [], read),
  ]);
  clearImmediate(going);
  expect(long).toEqual(Array.from({ length: 1001 }, (_, nr) => -nr - 1));
  expect([short, all.map(({ length }) => length), none]).toEqual([[1, 2, 3], [1, 500, 1], []]);
  expect(Math.max(...rowsIn.values())).toBeLessThanOrEqual(200);
});

test("a row that cannot be read fails its own question alone, wherever it stands", async () => {
  new Database(join(folder, "farm.db")).close();
  for (const [most, wrong] of [
    [3, 2],
    [1000, 1],
    [1000, 999],
  ] as const) {
    const read = ({ n }: { readonly n: number }) => {
      if (n === wrong) throw new Error("no");
      return n;
    };
    await expect(reader.read(numbers(most), [], read)).rejects.toThrow("no");
  }
  expect(await ask()).toEqual([{ one: 1 }]);
});
