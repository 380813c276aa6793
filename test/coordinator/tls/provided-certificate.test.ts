import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeCertificate, newKey } from "../../../coordinator/tls/certificate.ts";
import { pinOf } from "../../../coordinator/tls/own-authority.ts";
import { nameIn, readProvidedCertificate } from "../../../coordinator/tls/provided-certificate.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";

const dates = { from: Date.parse("2026-01-01"), until: Date.parse("2027-01-01") };
const [rootKey, key] = [newKey(), newKey()];
const root = makeCertificate({ subject: "R", key: rootKey, ...dates });
const names = ["*.studio.lan", "farm.lan", "10.0.0.1"];
const server = makeCertificate({ subject: "S", key, issuer: { name: "R", key: rootKey }, names, ...dates });
const pemOf = (each: typeof key): string => each.export({ type: "pkcs8", format: "pem" }).toString();

const files = async (certificate: string, keyText: string) => {
  const { path, remove } = await aFolder();
  onTestFinished(remove);
  const found = { tlsCert: join(path, "cert.pem"), tlsKey: join(path, "key.pem") };
  writeFileSync(found.tlsCert, certificate);
  writeFileSync(found.tlsKey, keyText);
  return found;
};

test("a file that ends with its root lets agents pin that", async () => {
  const material = readProvidedCertificate(await files(server + root, pemOf(key)));
  expect(material).toEqual({
    key: pemOf(key),
    certificate: server + root,
    authority: new X509Certificate(root).toString(),
    pins: [pinOf(rootKey)],
    endsAt: dates.until,
    isOwn: false,
  });
});

test("without a root, agents check the certificate as browsers do", async () => {
  expect(readProvidedCertificate(await files(server, pemOf(key)))).toMatchObject({ authority: undefined, pins: [] });
});

test.each([
  ["--tls-cert", "no certificate", "nothing", pemOf(key)],
  ["--tls-cert", "is damaged", server.replace(/\n.{40}/, "\n"), pemOf(key)],
  ["--tls-key", "no private key", server, "nothing"],
  ["--tls-key", "not the key of", server, pemOf(rootKey)],
])("%s: a file with %s is refused by name", async (flag, why, certificate, keyText) => {
  const given = await files(certificate, keyText);
  expect(() => readProvidedCertificate(given)).toThrow(new RegExp(`^${flag} .*${why}`));
});

test("a missing file is refused by name", () => {
  expect(() => readProvidedCertificate({ tlsCert: "/nowhere.pem", tlsKey: "/nowhere.key" })).toThrow(
    "--tls-cert /nowhere.pem",
  );
});

test.each([
  ["farm.lan", "farm.lan"],
  ["a.studio.lan", "a.studio.lan"],
  ["10.0.0.1", "10.0.0.1"],
  ["10.0.0.2", "farm.lan"],
  ["machine", "farm.lan"],
])("a farm called %s is reached as %s", (wanted, name) => {
  expect(nameIn(server, wanted)).toBe(name);
});
