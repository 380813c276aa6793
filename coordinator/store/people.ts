import type { Role } from "../../shared/person.ts";

export type AccountRow = {
  readonly oapi_key: string;
  /** Encrypted. */
  readonly oapi_secret: string;
  readonly created: number;
  readonly renewed: number | null;
};

export type ApiUserRow = {
  readonly id: number;
  readonly auth_key: string;
  readonly name: string;
  readonly created: number;
  readonly last_login: number | null;
  /** May change the farm's mounts. */
  readonly may_mount: 0 | 1;
};

export type NewApiUser = Pick<ApiUserRow, "auth_key" | "name" | "created"> & {
  readonly secretHash: string;
  readonly mayMount: boolean;
};
type NewAccount = Pick<AccountRow, "oapi_key" | "oapi_secret">;

/** Who may use the API: the account's OAPI pair and its API users. */
export type AccountStore = {
  readonly account: () => Promise<AccountRow | undefined>;
  /** Creates the account with its first user; false if there is already an account. */
  readonly create: (account: NewAccount, user: NewApiUser, now: number) => Promise<boolean>;
  readonly renew: (account: NewAccount, now: number) => Promise<void>;
  /** Undefined for a revoked user. */
  readonly user: (authKey: string) => Promise<{ readonly id: number; readonly secret_hash: string } | undefined>;
  readonly users: () => Promise<ApiUserRow[]>;
  readonly isUser: (id: number) => Promise<boolean>;
  /** False if there are already `most`. */
  readonly createUser: (user: NewApiUser, most: number) => Promise<boolean>;
  /** Also ends the user's tokens; false if there is no such user. */
  readonly revokeUser: (authKey: string, now: number) => Promise<boolean>;
};

/** Something that opens a door until it expires, known by its hash. */
export type NewPass = { readonly hash: string; readonly now: number; readonly expires: number; readonly most: number };

export type TokenRow = {
  readonly expires: number;
  readonly user_id: number;
  /** The user's name; empty for users from before they had names. */
  readonly name: string;
  readonly may_mount: 0 | 1;
};

export type TokenStore = {
  /** Undefined for the token of a revoked user. */
  readonly read: (hash: string) => Promise<TokenRow | undefined>;
  /** The number of live tokens of each user. */
  readonly counts: (now: number) => Promise<ReadonlyMap<number, number>>;
  /** Drops those that have expired and, beyond `most`, those of the user that end first. */
  readonly create: (userId: number, token: NewPass, login: number) => Promise<void>;
  readonly extend: (hash: string, expires: number) => Promise<void>;
};

export type PersonRow = {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly password_hash: string;
  readonly created: number;
};

export type SessionRow = {
  readonly person_id: number;
  readonly name: string;
  readonly role: Role;
  readonly created: number;
  readonly expires: number;
};

export type NewPerson = Pick<PersonRow, "name" | "role" | "created"> & { readonly passwordHash: string };
export type PersonChange = { readonly role?: Role | undefined; readonly passwordHash?: string | undefined };

/** Why a person was not changed: there is nobody of that name, or it is the only owner. */
export type PersonRefusal = "nobody" | "last owner";

/** Who may sign in to the pages, and who is signed in. Names are the same whatever their case. */
export type PersonStore = {
  readonly countOwners: () => Promise<number>;
  readonly read: (name: string) => Promise<PersonRow | undefined>;
  readonly readAll: () => Promise<PersonRow[]>;
  readonly session: (hash: string) => Promise<SessionRow | undefined>;
  /** Undefined if there is already an owner, or a person with that name. */
  readonly insertFirst: (person: NewPerson, session: NewPass) => Promise<PersonRow | undefined>;
  /** Undefined if the name is taken. */
  readonly insert: (person: NewPerson) => Promise<PersonRow | undefined>;
  /** Begins a session if the person's password is still the checked one. */
  readonly signIn: (name: string, checkedHash: string, session: NewPass) => Promise<PersonRow | undefined>;
  /** Sets a password, ends all sessions of the person and begins one. */
  readonly signInAnew: (id: number, passwordHash: string, session: NewPass) => Promise<PersonRow | undefined>;
  /** A new password ends all sessions of the person but the kept one. */
  readonly update: (name: string, change: PersonChange, keptHash: string) => Promise<PersonRow | PersonRefusal>;
  readonly remove: (name: string) => Promise<PersonRow | PersonRefusal>;
  readonly extendSession: (hash: string, expires: number) => Promise<void>;
  readonly dropSession: (hash: string) => Promise<void>;
};
