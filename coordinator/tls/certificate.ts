import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import { newSalt } from "../secrets/vault.ts";
import { bits, context, identifier, integer, octets, sequence, set, text, time, yes } from "./der.ts";

export type CertificateWish = {
  readonly subject: string;
  /** The private key of its owner. */
  readonly key: KeyObject;
  /** Who signs it. Absent: it is the certificate of an authority, which signs itself. */
  readonly issuer?: { readonly name: string; readonly key: KeyObject };
  /** Host names and addresses. */
  readonly names?: readonly string[];
  /** Unix milliseconds. */
  readonly from: number;
  readonly until: number;
};

/** A new private key: ECDSA on P-256, which every TLS client knows. */
export const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** An X.509 certificate in PEM: of an authority that signs itself, or of a server that it vouches for. */
export const makeCertificate = (wish: CertificateWish): string => {
  const issuer = wish.issuer ?? { name: wish.subject, key: wish.key };
  const body = sequence(
    context(0, true, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([0x40]), newSalt().subarray(0, 15)])), // a random serial number, positive
    signatureKind,
    nameOf(issuer.name),
    sequence(time(wish.from), time(wish.until)),
    nameOf(wish.subject),
    publicOf(wish.key),
    context(
      3,
      true,
      sequence(...(wish.issuer ? serverRights(wish) : authorityRights()), ...keyMarks(wish.key, issuer.key)),
    ),
  );
  const der = sequence(body, signatureKind, bits(sign("sha256", body, issuer.key)));
  const lines = der.toString("base64").replaceAll(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
};

const signatureKind = sequence(identifier("1.2.840.10045.4.3.2")); // ecdsa-with-SHA256

const nameOf = (name: string): Buffer => sequence(set(sequence(identifier("2.5.4.3"), text(name))));

const publicOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: "spki", format: "der" });

const extension = (id: string, isCritical: boolean, value: Buffer): Buffer =>
  sequence(identifier(id), ...(isCritical ? [yes()] : []), octets(value));

/** An authority may sign certificates of servers, and of no other authorities. */
const authorityRights = (): Buffer[] => [
  extension("2.5.29.19", true, sequence(yes(), integer(Buffer.from([0])))),
  extension("2.5.29.15", true, bits(Buffer.from([0x06]), 1)), // keyCertSign, cRLSign
];

const serverRights = ({ names = [] }: CertificateWish): Buffer[] => [
  extension("2.5.29.19", true, sequence()),
  extension("2.5.29.15", true, bits(Buffer.from([0x80]), 7)), // digitalSignature
  extension("2.5.29.37", false, sequence(identifier("1.3.6.1.5.5.7.3.1"))), // serverAuth
  extension("2.5.29.17", false, sequence(...names.map(hostOrAddress))),
];

const hostOrAddress = (name: string): Buffer =>
  isIP(name) === 0 ? context(2, false, Buffer.from(name, "ascii")) : context(7, false, addressBytes(name));

/** Lets clients find the certificate that a certificate was signed with. */
const keyMarks = (own: KeyObject, signer: KeyObject): Buffer[] => [
  extension("2.5.29.14", false, octets(markOf(own))),
  extension("2.5.29.35", false, sequence(context(0, false, markOf(signer)))),
];

const markOf = (key: KeyObject): Buffer => createHash("sha256").update(publicOf(key)).digest().subarray(0, 20);

/** The 4 or 16 bytes of a valid IP address. */
const addressBytes = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1); // without dots, in lower case
  const [head = "", tail] = plain.split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
};

const groupsOf = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
