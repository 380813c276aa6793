import type { Bound } from "../../shared/vault.ts";

export type CredentialRow = {
  readonly name: string;
  readonly kind: string;
  readonly prefix: string | null;
  /** Who may use it; null: every node. */
  readonly bound: Bound | null;
  readonly sealed: string;
  readonly changed: number;
};

/** The vault's entries by name, each encrypted. */
export type CredentialStore = {
  readonly all: () => Promise<CredentialRow[]>;
  /** False if there are already `most` others. */
  readonly put: (row: CredentialRow, most: number) => Promise<boolean>;
  readonly remove: (name: string) => Promise<boolean>;
};
