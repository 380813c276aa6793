import type { Nodes } from "../nodes/nodes.ts";
import type { CredentialRow } from "./credential-row.ts";
import type { Vault } from "./vault.ts";

export type Secrets = Nodes & {
  /** Encrypts what must not be stored in plain text. */
  readonly vault: Vault;
  /** The entries of the credentials vault by name, encrypted. */
  readonly credentials: Map<string, CredentialRow>;
};
