import { describe, expect, test } from "vitest";
import { credentialHandlers } from "../../../coordinator/routes/credentials.ts";
import { entryNamed } from "../../../coordinator/secrets/credentials.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { readCredential, revealed } from "../../helpers/secrets/credentials.ts";

const { farm, restart } = useFarm();

const written = {
  kind: "s3",
  access_key_id: "AKEY",
  secret_access_key: "ASECRET",
  endpoint: "https://minio.lan:9000",
} as const;
const credential = readCredential(written);
const handlers = () => credentialHandlers(farm());
const put = () => handlers().putCredential({ name: "archive", prefix: "s3://archive", credential, groups: ["studio"] });
const change = (fields: object) => handlers().changeCredential({ name: "archive", ...fields });
const stored = () => revealed(entryNamed(farm(), "archive").credential);

describe("an entry of the vault that is changed in place", () => {
  test("keeps what is not given, also its secrets, which the answer does not show", async () => {
    await put();
    const answer = await change({ credential: { access_key_id: "ANOTHER" } });
    expect(answer).toEqual({
      name: "archive",
      kind: "s3",
      prefix: "s3://archive",
      groups: ["studio"],
      nodes: [],
      changed: expect.any(Number),
    });
    await restart();
    expect(stored()).toEqual({ ...written, access_key_id: "ANOTHER" });
  });

  test("takes a new secret, and loses what is null", async () => {
    await put();
    expect(await change({ prefix: "s3://other", groups: [], credential: { secret_access_key: "NEW" } })).toEqual({
      name: "archive",
      kind: "s3",
      prefix: "s3://other",
      changed: expect.any(Number),
    });
    expect(stored()).toEqual({ ...written, secret_access_key: "NEW" });
  });

  test("is not sent to another server with secrets that nobody gave anew", async () => {
    await put();
    const elsewhere = { endpoint: "https://evil.example.com" };
    for (const endpoint of [elsewhere.endpoint, null])
      await expect(change({ credential: { endpoint } })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        message: 'Entry "archive": it would be sent elsewhere: give secret_access_key as well',
      });
    await change({ credential: { ...elsewhere, secret_access_key: "GIVEN" } });
    expect(stored()).toMatchObject({ ...elsewhere, secret_access_key: "GIVEN" });
  });

  test.each([
    [{ prefix: "s3://evil" }],
    [{ prefix: "s3://archive/below" }],
    [{ groups: [] }],
    [{ groups: ["studio", "strangers"] }],
    [{ nodes: ["7"] }],
    [{ credential: { region: "elsewhere" } }],
    [{ credential: { path_style: false } }],
    [{ credential: { ca: "PEM" } }],
  ])("wants its secret anew for %j, which takes it elsewhere", async (fields) => {
    await put();
    await expect(change(fields)).rejects.toThrow("give secret_access_key as well");
    const given = "credential" in fields ? fields.credential : {};
    await change({ ...fields, credential: { ...given, secret_access_key: "GIVEN" } });
    expect(stored()).toMatchObject({ secret_access_key: "GIVEN" });
  });

  test.each([
    [{ kind: "ftp" }, /its kind is s3, which stays/],
    [{ secret_access_key: null }, /secret_access_key is missing/],
    [{ password: "x" }, /password: credentials of kind s3 have access_key_id/],
  ])("refuses %j in words, and stays as it was", async (fields, words) => {
    await put();
    await expect(change({ credential: fields })).rejects.toThrow(words);
    expect(stored()).toEqual(written);
  });

  test("must exist", async () => {
    await expect(change({ groups: [] })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("an entry of the vault that somebody changes while another one's change is decided", () => {
  /** Happens once what is stored was read, and before the change of it is. */
  const meanwhile = (happens: () => Promise<unknown>): void => {
    const { records } = farm().store;
    const { change: write } = records;
    const changed: typeof write = async (...given) => {
      Object.assign(records, { change: write });
      await happens();
      return write(...given);
    };
    Object.assign(records, { change: changed });
  };

  test("has what both of them changed", async () => {
    await put();
    meanwhile(() => change({ credential: { access_key_id: "ANOTHER" } }));
    await change({ credential: { secret_access_key: "NEW" } });
    expect(stored()).toEqual({ ...written, access_key_id: "ANOTHER", secret_access_key: "NEW" });
  });

  test("does not come back where it is deleted", async () => {
    await put();
    meanwhile(() => handlers().deleteCredential({ name: "archive" }));
    await expect(change({ credential: { access_key_id: "X" } })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await handlers().listCredentials()).toEqual({ items: [] });
  });

  test("goes nowhere where it was not to go when its secret was given", async () => {
    await put();
    const narrowed = { groups: ["studio"], nodes: ["7"], credential: { secret_access_key: "FIRST" } };
    await change(narrowed);
    meanwhile(() => change({ nodes: [], credential: { secret_access_key: "SECOND" } }));
    await expect(change({ groups: [], nodes: ["7"] })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(stored()).toMatchObject({ secret_access_key: "SECOND" });
  });
});
