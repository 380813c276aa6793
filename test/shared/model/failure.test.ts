import { expect, test } from "vitest";
import { causeNames, causes, failure, TaskError } from "../../../shared/model/failure.ts";

test("the causes say where a retry runs, how much longer it waits, and whether the node is to blame", () => {
  const table = causeNames.map((name) => {
    const { where, backOff, blamesNode } = causes[name];
    return `${name}: ${where}, +${backOff} s${blamesNode ? ", the node" : ""}`;
  });
  expect(table).toEqual([
    "definition: anywhere, +0 s",
    "source: anywhere, +0 s",
    "storage: elsewhere, +10 s, the node",
    "capability: anywhere, +0 s",
    "resources: elsewhere, +30 s, the node",
    "machine: elsewhere, +0 s, the node",
    "timeout: elsewhere, +0 s, the node",
    "media: anywhere, +0 s",
    "file: nowhere, +0 s",
    "quality: anywhere, +0 s",
    "receiver: elsewhere, +10 s",
    "cancelled: anywhere, +0 s",
  ]);
});

test("every cause advises a person in a sentence", () => {
  expect(causeNames.filter((name) => !/^[A-Z].*\.$/.test(causes[name].advice))).toEqual([]);
});

test("a task's error carries a failure that can be stored, however long its message", () => {
  const { failure: carried } = new TaskError("media", "x".repeat(9000), { exitCode: 1 });
  expect(failure.parse(carried)).toEqual({ cause: "media", message: "x".repeat(4000), exitCode: 1 });
});
