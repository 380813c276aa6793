import type { Role } from "../../shared/people/person.ts";
import type { Power } from "../../shared/people/scopes.ts";

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
  /** When one of its tokens was last used, to about a minute; null: not since this is noted. */
  readonly last_used: number | null;
  /** When it may log in no more, on the machine's clock; null: once it is revoked. */
  readonly expires: number | null;
  readonly live_tokens: number;
} & Power;

export type NewApiUser = Pick<ApiUserRow, "auth_key" | "name" | "created" | "expires" | keyof Power> & {
  readonly secretHash: string;
};
export type KnownApiUser = { readonly id: number; readonly secret_hash: string; readonly expires: number | null };
type NewAccount = Pick<AccountRow, "oapi_key" | "oapi_secret">;

/** Who may use the API: the account's OAPI pair and its API users. */
export type AccountStore = {
  readonly account: () => Promise<AccountRow | undefined>;
  /** Creates the account with its first user; false if there is already an account. */
  readonly create: (account: NewAccount, user: NewApiUser, now: number) => Promise<boolean>;
  readonly renew: (account: NewAccount, now: number) => Promise<void>;
  /** By its key or its id; undefined for a revoked user. */
  readonly user: (name: string | number) => Promise<KnownApiUser | undefined>;
  /** What an API user may do; a revoked one too. */
  readonly power: (id: number) => Promise<Power | undefined>;
  /** Those that are not revoked, in the order of ids, with the number of tokens that end after `now`. */
  readonly users: (now: number) => Promise<ApiUserRow[]>;
  /** False if there are already `most`, without revoked ones. */
  readonly createUser: (user: NewApiUser, most: number) => Promise<boolean>;
  /** Also ends the user's tokens; false if there is no such user. */
  readonly revokeUser: (authKey: string, now: number) => Promise<boolean>;
  /** Begins a token; `at` is the user's last login. */
  readonly logIn: (userId: number, token: NewPass, at: number) => Promise<void>;
};

/**
 * Something that opens a door until it expires, known by its hash. A new one drops all that have expired at `now` and,
 * beyond `most` with itself, those of its owner that end first.
 */
export type NewPass = { readonly hash: string; readonly now: number; readonly expires: number; readonly most: number };

export type TokenRow = {
  readonly expires: number;
  readonly user_id: number;
  /** The user's name; empty for users from before they had names. */
  readonly name: string;
  /** Of the user, on the machine's clock; null: once it is revoked. */
  readonly user_expires: number | null;
} & Power;

export type PersonRow = {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  /** Empty: no password opens. */
  readonly password_hash: string;
  readonly created: number;
  /** The identity provider that vouches for them, and its own name for them; null: a password does. */
  readonly issuer: string | null;
  readonly subject: string | null;
  /** Passkeys and codes as JSON; empty: they have none. */
  readonly second_steps: string;
} & NarrowedRow;

/** To what somebody's role is narrowed: lists of tags, and of names of compute groups, as JSON. */
export type NarrowedRow = { readonly only_tags: string; readonly only_groups: string };
export const notNarrowed: NarrowedRow = { only_tags: "[]", only_groups: "[]" };

export type SessionRow = {
  readonly person_id: number;
  readonly name: string;
  /** Of the person. */
  readonly role: Role;
  /** The strongest role that the session may have; null: the person's. */
  readonly most_role: Role | null;
  /** The identity provider by which it was begun; null: with a password or a passkey of this farm. */
  readonly issuer: string | null;
  /** Of the person: the provider that vouches for them; null: they have a password. */
  readonly home: string | null;
  readonly created: number;
  readonly expires: number;
} & NarrowedRow;

/** A session as its person sees it. */
export type SessionHead = Pick<SessionRow, "created" | "expires"> & {
  readonly hash: string;
  readonly origin: string;
  readonly browser: string;
};

/** Tokens of API users and sessions of people. */
export type Passes = { readonly token: TokenRow; readonly session: SessionRow };
export type PassKind = keyof Passes;

export type PassStore = {
  /** Also one that has expired; undefined for the token of a revoked user. */
  readonly read: <K extends PassKind>(kind: K, hash: string) => Promise<Passes[K] | undefined>;
  /** Until then at least. `at`: when it was used; kept for users of tokens. */
  readonly extend: (kind: PassKind, hash: string, expires: number, at: number) => Promise<void>;
  readonly end: (kind: PassKind, hash: string) => Promise<void>;
  /** Says from where a session was begun. */
  readonly describe: (hash: string, origin: string, browser: string) => Promise<void>;
  /** Sessions of a person that end after `now`, the newest first. */
  readonly sessions: (personId: number, now: number) => Promise<SessionHead[]>;
};

export type NewPerson = Pick<PersonRow, "name" | "role" | "created"> & {
  readonly passwordHash: string;
  /** Absent: to nothing. */
  readonly narrowed?: NarrowedRow | undefined;
};
export type PersonChange = {
  readonly role?: Role | undefined;
  readonly passwordHash?: string | undefined;
  readonly only_tags?: string | undefined;
  readonly only_groups?: string | undefined;
};

/**
 * Why a person was not changed: there is nobody of that name, it is the only owner, or an identity provider decides on their
 * role and has no password here. To what their role is narrowed is decided here for everybody.
 */
export type PersonRefusal = "nobody" | "last owner" | "vouched for";

/** Whom an identity provider vouches for, with the names that they may get, the best first. */
export type VouchedPerson = {
  readonly issuer: string;
  readonly subject: string;
  readonly names: readonly string[];
  readonly role: Role;
  readonly created: number;
  /** The provider's own name for its session; null: it gives none. */
  readonly sid: string | null;
  /** To what the provider narrows their role; absent: it stays as it is here. */
  readonly narrowed?: NarrowedRow | undefined;
};

/** An account at a provider by which somebody comes in as well, beside what vouches for them itself. */
export type LinkRow = {
  readonly issuer: string;
  readonly subject: string;
  readonly person_id: number;
  /** As the provider called them last. */
  readonly name: string;
  readonly created: number;
  readonly used: number | null;
};
export type NewLink = Pick<LinkRow, "issuer" | "subject" | "person_id" | "name" | "created">;

/**
 * Why an account was not linked: the session that asked for it is over, the account is somebody's already, or the person has one
 * of this provider.
 */
export type LinkRefusal = "no session" | "taken" | "has one";
/**
 * Which sessions of a provider are meant: all of an account, one by the provider's name for it, or what fits both; sessions of
 * which it gave no name then fit by the account.
 */
export type VouchedSessions = { readonly subject: string | null; readonly sid: string | null };

/**
 * Names of people are the same whatever their case, their form in Unicode (full-width letters) and the blanks around them.
 * Everything that is kept by name is kept by this: rows of people, limits on guesses, places in a line.
 */
export const personKey = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

/** Who may sign in to the pages. A changed person comes back as it is then; a removed one has no session any more. */
export type PersonStore = {
  readonly read: (name: string) => Promise<PersonRow | undefined>;
  /** In the order of `personKey`. */
  readonly readAll: () => Promise<PersonRow[]>;
  /**
   * Undefined if the name is taken. With a session it is the first owner, who is signed in with it; undefined if there is
   * already an owner.
   */
  readonly insert: (person: NewPerson, first?: NewPass) => Promise<PersonRow | undefined>;
  /** Begins a session if the person's password is still the checked one; never for somebody whom a provider vouches for. */
  readonly signIn: (
    id: number,
    password: { readonly checked: string },
    session: NewPass,
  ) => Promise<PersonRow | undefined>;
  /** Sets a new password, which ends all sessions of the person; never for somebody whom a provider vouches for. */
  readonly renew: (id: number, passwordHash: string) => Promise<PersonRow | undefined>;
  /** A new password ends all sessions of the person but the kept one. */
  readonly update: (name: string, change: PersonChange, keptHash: string) => Promise<PersonRow | PersonRefusal>;
  readonly remove: (name: string) => Promise<PersonRow | PersonRefusal>;
  /** Stores what `decide` makes of somebody's second steps; nothing, if it throws. Undefined: there is nobody. */
  readonly changeSteps: (id: number, decide: (steps: string) => string) => Promise<PersonRow | undefined>;
  /**
   * Begins a session of somebody whom a provider vouches for. They are made if they are new; else they get the role, the only
   * owner too, and the first of the names that nobody else has. Undefined if all names are taken, or there are `most` people.
   * Whose account is linked keeps name and role; the session then has no stronger role than that which is given here.
   */
  readonly enter: (person: VouchedPerson, most: number, session: NewPass) => Promise<PersonRow | undefined>;
  /** Removes whom a provider vouched for, the only owner too: one, or all, and then all its links too. Gives how many people. */
  readonly leave: (issuer: string, subject: string | null) => Promise<number>;
  /** Ends all sessions, but the kept one, that were begun by this provider; null: with passwords and passkeys. */
  readonly endSessions: (issuer: string | null, keptHash: string) => Promise<void>;
  /** Ends sessions that were begun by a provider. Gives how many. */
  readonly endVouched: (issuer: string, which: VouchedSessions) => Promise<number>;
  /** Links of a person, or of all: by issuer and subject. */
  readonly links: (personId: number | null) => Promise<LinkRow[]>;
  /** Links an account, if this session of the person has not ended at `now`. */
  readonly link: (
    link: NewLink,
    session: { readonly hash: string; readonly now: number },
  ) => Promise<LinkRow | LinkRefusal>;
  /**
   * Ends a link, and the person's sessions that were begun by it. `keepsOne`: not if it is their only one.
   */
  readonly unlink: (
    personId: number,
    issuer: string,
    how: { readonly keepsOne: boolean },
  ) => Promise<LinkRow | "nothing" | "last way">;
};
