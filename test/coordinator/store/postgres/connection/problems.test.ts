import { expect, test } from "vitest";
import { asAnswer, isOfServer, refusalOf } from "../../../../../coordinator/store/postgres/connection/problems.ts";

/** An error as the server says it: its code never changes, its severity is in the server's language. */
const said = (code: string, severity: string) => Object.assign(new Error("in any language"), { code, severity });

test.each([
  ["refuses a row", "23505", "ERROR", "content"],
  ["refuses a row, in German", "23505", "FEHLER", "content"],
  ["has no room for a row", "53100", "ERROR", "disk"],
  ["falls, as it has no room for its log", "53100", "PANIC", "unknown"],
  ["falls, as its disk fails, in Italian", "58030", "PANICO", "unknown"],
  ["is ended", "57P01", "FATAL", "unknown"],
  ["is ended, in Italian", "57P01", "FATALE", "unknown"],
  ["is ended, in Russian", "57P02", "ВАЖНО", "unknown"],
])("a batch during which the server %s", (_, code, severity, kind) => {
  expect(refusalOf(said(code, severity), "batch 1").kind).toBe(kind);
  expect(isOfServer(said(code, severity))).toBe(kind !== "unknown");
});

test.each(["53100", "53300", "57P01", "25P03", "25P04", "58030", "XX000", "08006", "25006"])(
  "what a server in trouble says with %s is an answer, in any language",
  (code) => {
    for (const severity of ["ERROR", "FATAL", "PANIC", "ВАЖНО"])
      expect(asAnswer(said(code, severity))).toMatchObject({ code: "UNAVAILABLE" });
  },
);

test("a mistake of this program stays one, whatever its words", () => {
  const mistake = Object.assign(new Error("column timeout does not exist"), { code: "42703", severity: "ERROR" });
  expect(asAnswer(mistake)).toBe(mistake);
});
