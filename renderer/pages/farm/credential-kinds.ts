import { t } from "@lingui/core/macro";
import type { CredentialKind, FieldOf } from "../../../shared/credentials/credentials.ts";

export type CredentialField<Key extends string = string> = {
  readonly key: Key;
  readonly label: string;
  readonly hint?: string;
  /** secret: hidden while typing · long: several lines · choice: one of these words. */
  readonly look?: "secret" | "long" | "number";
  readonly choices?: readonly (readonly [string, string])[];
  readonly isNeeded?: boolean;
};

type CredentialForm<K extends CredentialKind> = {
  readonly word: string;
  readonly example: string;
  readonly fields: readonly CredentialField<FieldOf<K>>[];
};

const certificates = {
  key: "ca",
  label: t`Certificates (PEM)`,
  look: "long",
  hint: t`Trusted in addition to the system's certificates, for a server with its own`,
} as const;
const username = { key: "username", label: t`User name` } as const;
const password = { key: "password", label: t`Password`, look: "secret" } as const;
const port = { key: "port", label: t`Port`, look: "number" } as const;

/** The fields of each kind of storage. */
export const credentialForms: { readonly [K in CredentialKind]: CredentialForm<K> } = {
  s3: {
    ...{ word: "S3", example: "s3://bucket" },
    fields: [
      { key: "access_key_id", label: t`Access key id`, isNeeded: true },
      { key: "secret_access_key", label: t`Secret access key`, look: "secret", isNeeded: true },
      { key: "session_token", label: t`Session token`, look: "secret", hint: t`Only for temporary keys` },
      { key: "region", label: t`Region`, hint: t`Such as eu-central-1` },
      {
        key: "endpoint",
        label: t`Endpoint`,
        hint: t`Of another service than Amazon's: https://minio.example.com:9000`,
      },
      certificates,
    ],
  },
  http: {
    ...{ word: t`HTTP`, example: "https://files.example.com/films" },
    fields: [username, password, { key: "token", label: t`Token instead of a password`, look: "secret" }, certificates],
  },
  ftp: {
    ...{ word: t`FTP`, example: "ftp://ftp.example.com/films" },
    fields: [
      ...[username, password, port],
      {
        ...{ key: "tls", label: t`Encryption` },
        choices: [
          ["", t`As the address says`],
          ["none", t`None`],
          ["explicit", t`TLS, asked for (explicit)`],
          ["implicit", t`TLS from the start (implicit)`],
        ],
      },
      certificates,
    ],
  },
  sftp: {
    ...{ word: t`SFTP`, example: "sftp://host.example.com/films" },
    fields: [
      ...[username, password],
      { key: "private_key", label: t`Private key`, look: "long", hint: t`In PEM or OpenSSH's own form` },
      { key: "passphrase", label: t`Passphrase of the key`, look: "secret" },
      port,
      {
        key: "host_key",
        label: t`Host key`,
        hint: t`SHA256:…, as ssh-keygen -l prints it. Empty: nodes keep the first one`,
      },
    ],
  },
  swift: {
    ...{ word: t`Swift`, example: "swift://account/container" },
    fields: [
      { key: "auth_url", label: t`Auth URL`, hint: "https://swift.example.com/auth/v1.0", isNeeded: true },
      { ...username, hint: "account:user", isNeeded: true },
      { ...password, isNeeded: true },
      certificates,
    ],
  },
};

/** The values to send: only filled-in fields, numbers as numbers. */
export const credentialOf = (kind: CredentialKind, values: Readonly<Record<string, string>>): object => ({
  kind,
  ...Object.fromEntries(
    credentialForms[kind].fields.flatMap(({ key, look }) => {
      const text = look === "secret" || look === "long" ? values[key] : values[key]?.trim();
      return text ? [[key, look === "number" ? Number(text) : text]] : [];
    }),
  ),
});
