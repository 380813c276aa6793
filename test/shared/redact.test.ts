import { expect, test } from "vitest";
import { redactJob } from "../../shared/redact.ts";

const location = (access: unknown) => ({ storage_provider: "s3", path: "s3://bucket/folder", access });

test("what opens storage is hidden wherever it stands", () => {
  const access = { username: "u", password: "secret" };
  const job = { name: "j", payload: { elements: [{ payload: { location: location(access) } }, location(null)] } };
  expect(redactJob(job)).toEqual({
    name: "j",
    payload: { elements: [{ payload: { location: location("(hidden)") } }, location(null)] },
  });
});

test("the comment is for programs alone", () => {
  expect(redactJob({ name: "j", comment: "internal" })).toEqual({ name: "j" });
});

test.each([
  ["ftp://user:secret@host/file.mov", "ftp://user:(hidden)@host/file.mov"],
  ["see https://u:p@a/b and sftp://v:q@c/d", "see https://u:(hidden)@a/b and sftp://v:(hidden)@c/d"],
  ["file:///media/a:b@c.mov", "file:///media/a:b@c.mov"],
  ["http://host:8080/a@b", "http://host:8080/a@b"],
])("the address %s reads %s", (url, shown) => {
  expect(redactJob({ url })).toEqual({ url: shown });
});

test("definitions that access uses are hidden, by whatever way it does, and the others are shown", () => {
  const job = {
    definitions: {
      folder: "/out",
      key: "secret",
      login: { user: "u", password: "{{pass}}" },
      pass: "secret",
      base: { access: { password: "secret" } },
      common: { user: "secret" },
    },
    payload: [location("{{login}}"), location({ key: "a{{key}}b" }), location({ $inherits: "common" }), "{{folder}}"],
  };
  expect(redactJob(job).definitions).toEqual({
    folder: "/out",
    key: "(hidden)",
    login: "(hidden)",
    pass: "(hidden)",
    base: { access: "(hidden)" },
    common: "(hidden)",
  });
});

test("where a name inside access is put together, every definition is hidden", () => {
  const job = { definitions: { a: "b", key_b: "secret" }, payload: location("{{key_{{a}}}}") };
  expect(redactJob(job).definitions).toEqual({ a: "(hidden)", key_b: "(hidden)" });
});
