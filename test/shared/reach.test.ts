import { expect, test } from "vitest";
import { reachNeeds } from "../../shared/reach.ts";

const work = {
  assets: { a: { uri: "sftp://host/in/a.mov" }, b: { uri: "file:///in/b.mov" }, c: { uri: "s3://mounted/c.mov" } },
  outputs: {
    o: { version: "v", folder: "s3://bucket/out", name: "o.mov", isSequence: false, existing: "fail" as const },
  },
  steps: [],
};

test("work needs a node that speaks to its kinds of remote storage, but for what a mount covers", () => {
  const capabilities = new Set(["storage:s3", "storage:sftp", "storage:file"]);
  expect(reachNeeds(work, { mounts: ["s3://mounted"], capabilities })).toEqual(["storage:sftp", "storage:s3"]);
});

test("what no node declares is required of none", () => {
  expect(reachNeeds(work, { mounts: [], capabilities: new Set(["storage:sftp"]) })).toEqual(["storage:sftp"]);
});
