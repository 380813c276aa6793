import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import type { Vault } from "../secrets/vault.ts";
import type { Store } from "../store/store.ts";
import { makeCertificate, newKey } from "./certificate.ts";
import type { Material } from "./material.ts";

const [dayMs, recordKey] = [24 * 3600_000, "tls_own"];
/** Browsers refuse certificates of servers that are valid for much longer than a year. */
const serverDays = 397;
const renewServerDays = 60;
const authorityDays = 20 * 365;
const renewAuthorityDays = 400;
/** Clocks of other machines may be slow. */
const backdatedMs = dayMs;

const stored = z.strictObject({
  authority: z.strictObject({ key: z.string(), certificate: z.string() }),
  /** The key of the next authority: agents learn its pin long before it is used. */
  nextKey: z.string(),
  server: z.strictObject({ key: z.string(), certificate: z.string(), names: z.array(z.string()) }),
});
type Stored = z.output<typeof stored>;

export type OwnAuthorityNeeds = {
  readonly store: Pick<Store, "records">;
  readonly vault: Pick<Vault, "seal" | "open">;
  readonly names: readonly string[];
  readonly now: number;
  /** Replaces the authority by the next one, which nodes that connected before already trust. */
  readonly isNewKey?: boolean;
};

/**
 * The farm's own authority, and the certificate that it signed for this server. Both are made once and stored encrypted.
 * The certificate is renewed before it ends, and when names are missing. Agents trust the authority, so they accept it.
 */
export const openOwnAuthority = async ({
  store: { records },
  vault,
  names,
  now,
  isNewKey = false,
}: OwnAuthorityNeeds): Promise<Material> => {
  const sealed = await records.get("farm", recordKey);
  const kept = sealed === undefined ? undefined : read(vault.open(sealed));
  const current = upToDate(kept, { names, now, isNewKey });
  if (current !== kept) await records.change("farm", recordKey, () => vault.seal(JSON.stringify(current)));
  return materialOf(current);
};

type Wanted = { readonly names: readonly string[]; readonly now: number; readonly isNewKey: boolean };

/** Returns `kept` itself if nothing needs to be renewed. */
const upToDate = (kept: Stored | undefined, { names, now, isNewKey }: Wanted): Stored => {
  if (!kept) return withServer(newAuthority(newKey(), now), names, now);
  if (isNewKey || daysLeft(kept.authority.certificate, now) < renewAuthorityDays)
    return withServer(newAuthority(createPrivateKey(kept.nextKey), now), names, now);
  const isMissing = names.some((name) => !kept.server.names.includes(name));
  if (isMissing || daysLeft(kept.server.certificate, now) < renewServerDays) return withServer(kept, names, now);
  return kept;
};

const newAuthority = (key: KeyObject, now: number): Omit<Stored, "server"> => {
  const subject = `Mediafarm authority ${pinOf(key).slice(0, 8)}`;
  const certificate = makeCertificate({ subject, key, from: now - backdatedMs, until: now + authorityDays * dayMs });
  return { authority: { key: pemOf(key), certificate }, nextKey: pemOf(newKey()) };
};

const withServer = ({ authority, nextKey }: Omit<Stored, "server">, names: readonly string[], now: number): Stored => {
  const key = newKey();
  const issuer = { name: authorityName(authority.certificate), key: createPrivateKey(authority.key) };
  const [from, until] = [now - backdatedMs, now + serverDays * dayMs];
  const certificate = makeCertificate({ subject: "Mediafarm", key, issuer, names, from, until });
  return { authority, nextKey, server: { key: pemOf(key), certificate, names: [...names] } };
};

const materialOf = ({ authority, nextKey, server }: Stored): Material => ({
  key: server.key,
  certificate: server.certificate + authority.certificate,
  authority: authority.certificate,
  pins: [authority.key, nextKey].map((key) => pinOf(createPrivateKey(key))),
  endsAt: endOf(server.certificate),
  isOwn: true,
});

/** The SHA-256 of the public key, as `shared/credentials/pin.ts` describes it. */
export const pinOf = (key: KeyObject): string =>
  createHash("sha256")
    .update((key.type === "private" ? createPublicKey(key) : key).export({ type: "spki", format: "der" }))
    .digest("base64url");

export const endOf = (certificate: string): number => Date.parse(new X509Certificate(certificate).validTo);

const daysLeft = (certificate: string, now: number): number => (endOf(certificate) - now) / dayMs;

const authorityName = (certificate: string): string => new X509Certificate(certificate).subject.replace(/^CN=/, "");

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

const read = (text: string): Stored => {
  const parsed = stored.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new AppError("CONFLICT", "The farm's own TLS certificate was stored by a newer version of Mediafarm");
};
