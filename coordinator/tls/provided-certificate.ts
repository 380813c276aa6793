import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import type { Material } from "./material.ts";
import { endOf, pinOf } from "./own-authority.ts";

export type CertificateFiles = { readonly tlsCert: string; readonly tlsKey: string };

/**
 * Reads the administrator's certificate chain and key. If the chain ends with a root, agents pin it.
 * Throws AppError naming the file that cannot be used.
 */
export const readProvidedCertificate = ({ tlsCert, tlsKey }: CertificateFiles): Material => {
  const certificate = readText("--tls-cert", tlsCert);
  const chain = certificatesIn(certificate, tlsCert);
  const [server] = chain;
  const key = readText("--tls-key", tlsKey);
  if (!server) throw unusable("--tls-cert", tlsCert, "it contains no certificate in PEM format");
  if (!isKeyOf(server, key, tlsKey)) throw unusable("--tls-key", tlsKey, `it is not the key of ${tlsCert}`);
  const last = chain.at(-1);
  const root = last?.checkIssued(last) ? last : undefined;
  return {
    key,
    certificate,
    authority: root?.toString(),
    pins: root ? [pinOf(root.publicKey)] : [],
    endsAt: endOf(server.toString()),
    isOwn: false,
  };
};

const readText = (flag: string, file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw unusable(flag, file, messageOf(cause), cause);
  }
};

const certificatesIn = (text: string, file: string): X509Certificate[] => {
  try {
    return (text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []).map(
      (pem) => new X509Certificate(pem),
    );
  } catch (cause) {
    throw unusable("--tls-cert", file, "a certificate in it is damaged", cause);
  }
};

const isKeyOf = (certificate: X509Certificate, key: string, file: string): boolean => {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key));
  } catch (cause) {
    throw unusable("--tls-key", file, "it contains no private key in PEM format without a password", cause);
  }
};

const unusable = (flag: string, file: string, why: string, cause?: unknown): AppError =>
  new AppError("VALIDATION_FAILED", `${flag} ${file} cannot be used: ${why}`, { cause });

/** The name under which clients reach a server with this certificate: the wanted one if it covers it. */
export const nameIn = (certificate: string, wanted: string): string => {
  const server = new X509Certificate(certificate);
  if ((isIP(wanted) === 0 ? server.checkHost(wanted) : server.checkIP(wanted)) !== undefined) return wanted;
  const names = [...(server.subjectAltName ?? "").matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name]) => name);
  return names.find((name) => name !== undefined && !name.startsWith("*")) ?? wanted;
};
