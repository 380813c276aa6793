import { expect, test } from "vitest";
import { submitJob } from "../../../coordinator/jobs/submit.ts";
import { credentialHandlers } from "../../../coordinator/routes/credentials.ts";
import { aConnection, aCopy, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { readCredential } from "../../helpers/secrets/credentials.ts";

const { farm } = useFarm();

const credential = readCredential({ kind: "http", username: "u", password: "pw-vault" });
const put = () => credentialHandlers(farm()).putCredential({ name: "nas", prefix: "https://nas.test/in", credential });
const submit = (url: string) => {
  const source = { storage_provider: "http", url, access: { credentials_key: "nas" } };
  return submitJob(farm(), {
    name: "a job",
    payload: {
      elements: [aSource({ payload: { kind: "asset_url", payload: source } }), aCopy()],
      connections: [aConnection("src", ["copy"])],
    },
  });
};

test.each([
  "https://evil.test/in/a.mov",
  "http://nas.test/in/a.mov",
  "https://nas.test/inner/a.mov",
  "https://nas.test/in/%2e%2e/a.mov",
  "https://nas.test@evil.test/in/a.mov",
])("a job cannot send an entry of the vault to %s, and is told why", async (url) => {
  await put();
  const refused = await submit(url).catch((problem: Error) => problem);
  expect(refused).toMatchObject({ code: "VALIDATION_FAILED" });
  expect(String(refused)).toContain('entry "nas" of the vault is used below https://nas.test/in only');
  expect(JSON.stringify(refused)).not.toContain("pw-vault");
});

test("below the prefix, a job may name it, even its only file", async () => {
  await put();
  expect((await submit("https://nas.test/in/deep/a.mov")).id).toBeGreaterThan(0);
  await credentialHandlers(farm()).putCredential({ name: "nas", prefix: "https://nas.test/in/a.mov", credential });
  expect((await submit("https://nas.test/in/a.mov")).id).toBeGreaterThan(0);
});

test("an entry without a prefix, of an older version, goes nowhere until it has one", async () => {
  const sealed = farm().vault.seal(JSON.stringify(credential));
  const row = { name: "nas", kind: "http", prefix: null, bound: null, changed: 0, sealed };
  await farm().store.records.change("credential", "nas", () => JSON.stringify(row));
  await farm().refreshRecords();
  await expect(submit("https://nas.test/in/a.mov")).rejects.toThrow(/has no prefix: give it one, with its secret/);
});
