export type CredentialRow = {
  readonly name: string;
  readonly kind: string;
  readonly prefix: string | null;
  readonly sealed: string;
  readonly changed: number;
};

/** The vault's entries, each sealed, by name. */
export type CredentialStore = {
  readonly all: () => Promise<CredentialRow[]>;
  /** False where there are `most` others already. */
  readonly put: (row: CredentialRow, most: number) => Promise<boolean>;
  readonly remove: (name: string) => Promise<boolean>;
};
