import { expect, test } from "vitest";
import { type Access, accessIn } from "../../../coordinator/secrets/job-credentials.ts";
import type { CredentialKind, FieldOf } from "../../../shared/credentials/credentials.ts";
import { revealed } from "../../helpers/secrets/credentials.ts";

const at = (uri: string, access?: unknown) =>
  revealed(accessIn({ target: { location: { path: uri, ...(access !== undefined && { access }) } } })) as Access;
const credentialOf = (uri: string, access?: unknown) => at(uri, access).keys[0]?.credential;

/** Every field of every kind, as jobs write them. */
const whole = {
  s3: {
    ...{ access_key_id: "A", secret_access_key: "S", session_token: "T", region: "eu-north-1" },
    ...{
      endpoint: "https://minio.test:9000",
      path_style: false,
      conditional_writes: true,
      sign_payload: true,
      ca: "PEM",
    },
  },
  http: { username: "u", password: "p", token: "t", ca: "PEM" },
  ftp: { username: "u", password: "p", port: 2121, tls: "implicit", ca: "PEM" },
  sftp: {
    ...{ username: "u", password: "p", private_key: "KEY", passphrase: "w", port: 2222 },
    host_key: `SHA256:${"A".repeat(43)}`,
  },
  swift: { auth_url: "https://swift.test/auth/v1.0", username: "a:u", password: "p", ca: "PEM" },
} as const satisfies { [K in CredentialKind]: Record<FieldOf<K>, unknown> };

test.each(Object.entries(whole))("every field of %s is read, in an object of its name or directly", (kind, fields) => {
  const wanted = { kind, ...fields };
  expect(credentialOf(`${kind}://host/out`, { [kind]: fields })).toEqual(wanted);
  expect(credentialOf(`${kind}://host/out`, { ...fields, max_cross_region_mb: 5 })).toEqual(wanted);
});

test("numbers and booleans may be text, and fields may have the names of other programs", () => {
  expect(credentialOf("ftp://h/out", { ftp: { user: "u", pass: "p", port: "2121" } })).toEqual({
    ...{ kind: "ftp", username: "u", password: "p", port: 2121 },
  });
  const aws = { aws_access_key_id: "A", aws_secret_access_key: "S", aws_session_token: "T", path_style: "true" };
  expect(credentialOf("s3://b/out", aws)).toEqual({
    ...{ kind: "s3", access_key_id: "A", secret_access_key: "S", session_token: "T", path_style: true },
  });
});

test("ssh opens sftp, swiftstack opens swift, and http opens https", () => {
  expect(credentialOf("sftp://h/out", { ssh: { username: "u", key_file: "KEY" } })).toEqual({
    ...{ kind: "sftp", username: "u", private_key: "KEY" },
  });
  expect(credentialOf("swiftstack://c/out", { swiftstack: whole.swift })).toEqual({ kind: "swift", ...whole.swift });
  expect(credentialOf("https://h/out", { http: { token: "t" } })).toEqual({ kind: "http", token: "t" });
});

test("an empty access is none; a name of the vault counts before fields beside it", () => {
  expect(at("s3://b/out", {})).toEqual({ keys: [], named: [] });
  expect(at("s3://b/out", { credentials_key: "archive", access_key_id: "A" })).toEqual({
    ...{ keys: [], named: [{ prefix: "s3://b/out", name: "archive" }] },
  });
});

test("a name and a password in an address open it, also the files beside a file", () => {
  const { keys } = accessIn({ url: "ftp://u%40x:p%2F@h/in/a.mov" });
  const credential = { kind: "ftp", username: "u@x", password: "p/" };
  expect(revealed(keys)).toEqual([
    { prefix: "ftp://u%40x@h/in/a.mov", credential },
    { prefix: "ftp://u%40x@h/in", credential },
  ]);
});

test.each([
  ["s3://b/out", { ftp: whole.ftp }, "credentials of kind s3 have access_key_id"],
  ["ftp://h/out", { ftp: { username: "u", colour: "red" } }, "colour: credentials of kind ftp have"],
  ["sftp://h/out", { sftp: { username: "u", host_key: "no" } }, "host_key is missing or not as it should be"],
  ["s3://b/out", { s3: { access_key_id: "A" } }, "secret_access_key is missing"],
  ["ftp://h/out", { ftp: { tls: "sometimes" } }, "tls is missing or not as it should be"],
])("what opens nothing is refused by name: %s with %j", (uri, access, words) => {
  const refused = () => at(uri, access);
  expect(refused).toThrow(`The access of ${uri} cannot be used`);
  expect(refused).toThrow(words);
});
