import type { Bound } from "../../shared/credentials/vault.ts";
import type { StoredRecord } from "../store/records.ts";

/** An entry of the vault. */
export type CredentialRow = {
  readonly name: string;
  readonly kind: string;
  readonly prefix: string | null;
  /** Who may use it; null: every node. */
  readonly bound: Bound | null;
  /** Encrypted. */
  readonly sealed: string;
  readonly changed: number;
};

/** Only `routes/credentials.ts` writes them. */
export const parseEntry = ({ value }: StoredRecord): CredentialRow => JSON.parse(value);
