import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { createUpdate } from "../../../coordinator/db/update.ts";

test("an update writes what is given, as it is to become, and has nothing else checked", () => {
  const db = new Database(":memory:");
  const checked: string[] = [];
  const check = (column: string) => {
    checked.push(column);
    return 1;
  };
  db.function("checked", { deterministic: true }, (column) => check(String(column)));
  db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (checked('a') AND a <> 'x'), b TEXT CHECK (checked('b') AND b <> 'x'),
    c INTEGER) STRICT; INSERT INTO t VALUES (1, 'a', 'b', NULL)`);
  const update = createUpdate<"a" | "b" | "c">(db, "t", "id = ? AND a = ?", { c: "coalesce(c, ?)" });
  checked.splice(0);
  expect(update({ a: "a2", b: undefined, c: 1 }, 1, "a")).toBe(1);
  expect([...new Set(checked)]).toEqual(["a"]);
  expect(update({ b: null, c: 2 }, 1, "a2")).toBe(1);
  expect(update({ b: "b2" }, 1, "another")).toBe(0);
  expect(db.prepare("SELECT * FROM t").all()).toEqual([{ id: 1, a: "a2", b: null, c: 1 }]);
  db.close();
});
