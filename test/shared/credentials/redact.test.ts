import { expect, test } from "vitest";
import { redact, redactJob, redactJson, redactText } from "../../../shared/credentials/redact.ts";

const location = (access: unknown) => ({ storage_provider: "s3", path: "s3://bucket/folder", access });

test("what opens storage is hidden wherever it stands", () => {
  const access = { username: "u", password: "secret" };
  const job = { name: "j", payload: { elements: [{ payload: { location: location(access) } }, location(null)] } };
  expect(redactJob(job)).toEqual({
    name: "j",
    payload: { elements: [{ payload: { location: location("(hidden)") } }, location(null)] },
  });
});

test("of any document the passwords and signatures in its texts are hidden, and nothing else is changed", () => {
  const secret = {
    at: ["see http://user:hush@host/a and ftp://u:hush@b", "https://h/a?x=1&X-Amz-Signature=hush&y=2"],
    xml: '<login password="hush" name="n"/>',
  };
  const shown = redactJson(JSON.stringify(secret));
  expect(shown).not.toContain("hush");
  expect(JSON.parse(shown)).toEqual({
    at: ["see http://user:(hidden)@host/a and ftp://u:(hidden)@b", "https://h/a?x=1&X-Amz-Signature=(hidden)&y=2"],
    xml: '<login password="(hidden)" name="n"/>',
  });
  expect(redactJson(shown)).toBe(shown);
  // A text that ends with a colon, and one with an at sign behind it, are no address.
  const plain = JSON.stringify({
    uri: "s3://bucket",
    note: ":",
    mail: "a@b.test",
    q: "why?token",
    list: ["x://y", "z@"],
  });
  expect(redactJson(plain)).toBe(plain);
});

test("the comment is for programs alone", () => {
  expect(redactJob({ name: "j", comment: "internal" })).toEqual({ name: "j" });
  const element = { uid: "a", task: { comment: "internal", tags: ["x"] }, payload: { comment: "a field like any" } };
  expect(redactJob({ payload: { elements: [element] } })).toEqual({
    payload: { elements: [{ ...element, task: { tags: ["x"] } }] },
  });
});

test.each([
  ["ftp://user:secret@host/file.mov", "ftp://user:(hidden)@host/file.mov"],
  ["see https://u:p@a/b and sftp://v:q@c/d", "see https://u:(hidden)@a/b and sftp://v:(hidden)@c/d"],
  ["https://b.test/a.mov?x=1&X-Amz-Signature=ab12&y=2", "https://b.test/a.mov?x=1&X-Amz-Signature=(hidden)&y=2"],
  ["https://b.test/a.mov?sig=a%2Fb", "https://b.test/a.mov?sig=(hidden)"],
  ["https://b.test/a.mov?access_token=abc#t", "https://b.test/a.mov?access_token=(hidden)#t"],
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

test.each([
  ["media keys", { encryption: { schema: "aes-128-cbc", key: "00ff", key_id: "1" } }, { key: "(hidden)" }],
  ["a list of them", { encryptions: [{ id: "a", key: "00ff" }] }, [{ id: "a", key: "(hidden)" }]],
])("%s are hidden, and what names them is shown", (_, written, shown) => {
  const [found] = Object.values(redactJob({ payload: written }).payload as object);
  expect(found).toMatchObject(shown);
});

test.each([["rest_password", "aws_access", "auth", "smtp_passphrase", "client_secret", "private_key"]])(
  "fields named %s and the like are hidden; a watchfolder's key and a preset's are not",
  (...names) => {
    const job = Object.fromEntries([...names, "key", "secretary_name", "accessible"].map((name) => [name, "x"]));
    expect(redactJob(job)).toEqual({
      ...Object.fromEntries(names.map((name) => [name, "(hidden)"])),
      key: "x",
      secretary_name: "(hidden)",
      accessible: "x",
    });
  },
);

test("what signs an address is hidden in its fragment and between semicolons, and so are tokens of content networks", () => {
  for (const text of ["https://h/#access_token=SECRET", "https://h/?a=1;token=SECRET", "rtmp://h/app?hdnts=SECRET"]) {
    expect(redactText(text)).toBe(text.replace("SECRET", "(hidden)"));
    expect(redactJson(JSON.stringify({ text }))).not.toContain("SECRET");
  }
});

test("a password that holds an @ is hidden as a whole", () => {
  expect(redactText("https://u:one@two@h.example/x, mail a@b.example")).toBe(
    "https://u:(hidden)@h.example/x, mail a@b.example",
  );
  expect(redact({ url: "ftp://u:a@b@c@h/x?y@z" })).toEqual({ url: "ftp://u:(hidden)@h/x?y@z" });
});
