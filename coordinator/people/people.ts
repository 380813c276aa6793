import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import type { Narrowed } from "../../shared/people/narrowed.ts";
import { type Role, type SignedIn, weakerRole } from "../../shared/people/person.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import { shareOf } from "../address-share.ts";
import type { FarmClock } from "../farm-clock.ts";
import { hashSecret, isEqualText, newSecret } from "../secrets/vault.ts";
import {
  type NewPass,
  notNarrowed,
  type PersonRefusal,
  type PersonRow,
  type SessionHead,
  type SessionRow,
  type VouchedPerson,
} from "../store/people.ts";
import type { Store } from "../store/store.ts";
import { createHalfSessions } from "./half-sessions.ts";
import { createLinks } from "./links.ts";
import { narrowedIn, refuseNarrowedOwner, writeNarrowed } from "./narrowed.ts";
import { createOneTimeCodes } from "./one-time-codes.ts";
import type { Passwords } from "./passwords.ts";

/** How long a link for a new password works. */
export const resetMs = 3_600_000;
export const idleMs = 12 * 3_600_000;
export const longestSessionMs = 30 * 24 * 3_600_000;
/** The maximum number of people, as far as identity providers bring them. */
const mostPeople = 10_000;
/** The maximum number of sessions of one person. Beyond it, the session that ends first is dropped. */
export const mostSessions = 100;
/** A session's expiry is stored at most this often. */
const slideEveryMs = 60_000;

/** A signed-in person, as the pages' guard knows them: `id` is theirs, `hash` names the session. */
export type Session = Omit<SignedIn, "only_tags" | "only_groups"> & {
  /** To which nodes and jobs their role is narrowed, if it is. */
  readonly narrowed: Narrowed | undefined;
  readonly id: number;
  readonly hash: string;
  /** The identity provider by which they came; null: with a password or a passkey. */
  readonly issuer: string | null;
  /** The provider that vouches for them and decides on their role; null: they have a password. */
  readonly home: string | null;
  /** When it began, on the farm's clock. */
  readonly since: number;
  /** Not a person but the command line on the coordinator's machine. */
  readonly isMachine?: true;
};
export type Begun = { readonly token: Secret; readonly session: Session };

export type People = ReturnType<typeof createPeople>;

/** Who may use the pages: creates the first owner, signs people in and out, and manages people and sessions. */
export const createPeople = (
  { people, passes }: Pick<Store, "people" | "passes">,
  passwords: Passwords,
  clock: FarmClock,
) => ({
  ...createFirstEntrance({ people }, passwords, clock),
  ...createEntrances({ people }, passwords, clock),
  ...createVouchedEntrance({ people }, clock),
  ...createSessions({ people, passes }, clock),
  ...createLinks({ people }, clock),
  halves: createHalfSessions(clock),
  isPassword: async ({ id, name }: Session, password: Secret): Promise<boolean> =>
    passwords.isRight(password, passwordOf(await people.read(name)), `person ${id}`),
  list: (): Promise<PersonRow[]> => people.readAll(),
  create: async (name: string, password: Secret, role: Role, only: OnlyGiven = {}): Promise<PersonRow> => {
    refuseNarrowedOwner(role, only);
    const passwordHash = await passwords.hash(password);
    const narrowed = { ...notNarrowed, ...writeNarrowed(only) };
    const made = await people.insert({ name, role, passwordHash, narrowed, created: clock.now() });
    if (!made) throw new AppError("CONFLICT", `There is somebody called ${name} already`);
    return made;
  },
  /** A new password ends all other sessions of the person. */
  update: async (name: string, { role, password, ...only }: PersonChanges, by: Session): Promise<PersonRow> => {
    refuseNarrowedOwner(role ?? (await people.read(name))?.role, only);
    const passwordHash = password === undefined ? undefined : await passwords.hash(password);
    return requireChanged(await people.update(name, { role, passwordHash, ...writeNarrowed(only) }, by.hash), name);
  },
  remove: async (name: string): Promise<void> => {
    requireChanged(await people.remove(name), name);
  },
});

type OnlyGiven = Parameters<typeof writeNarrowed>[0];
type PersonChanges = { readonly role?: Role | undefined; readonly password?: Secret | undefined } & OnlyGiven;

/** The way in for the first owner: a code that is printed where the farm was started. */
const createFirstEntrance = ({ people }: Pick<Store, "people">, passwords: Passwords, clock: FarmClock) => {
  let firstCodeHash: string | undefined;
  const hasAnOwner = async () => (await people.readAll()).some(({ role }) => role === "owner");

  return {
    /** A new code for the first owner, known to nobody else; null once there is an owner. */
    newFirstCode: async (): Promise<Secret | null> => {
      if (await hasAnOwner()) return null;
      const code = newSecret();
      firstCodeHash = hashSecret(code);
      return code;
    },
    signInFirst: async (code: Secret, name: string, password: Secret): Promise<Begun> => {
      if (await hasAnOwner()) throw hasOwner();
      if (firstCodeHash === undefined || !isEqualText(hashSecret(code), firstCodeHash)) {
        throw new AppError("NOT_AUTHENTICATED", signInRefusals.wrongFirstCode);
      }
      const passwordHash = await passwords.hash(password);
      // The store looks again: while one password was hashed, the same code may have been used.
      const owner = { name, role: "owner", passwordHash, created: clock.now() } as const;
      const begun = await beginSession(clock, (session) => people.insert(owner, session));
      if (begun) return begun;
      if (await people.read(name)) throw new AppError("CONFLICT", `There is somebody called ${name} already`);
      throw hasOwner();
    },
  };
};

/** The ways in for everybody else: a password, or a code for a new one. */
const createEntrances = ({ people }: Pick<Store, "people">, passwords: Passwords, clock: FarmClock) => {
  const resets = createOneTimeCodes(clock, resetMs);
  const begin = (enter: Enter) => beginSession(clock, enter);

  return {
    /** Whose password it is. `from`: the address; guesses of one address wait in a queue of their own. */
    requirePassword: async (name: string, password: Secret, from = ""): Promise<PersonRow> => {
      const person = await people.read(name);
      const isRight = await passwords.isRight(password, passwordOf(person), addressLine(from));
      if (person && isRight) return person;
      throw wrongWords();
    },
    /** Lets in who has shown everything that they need to, unless their password has changed since. */
    enter: async ({ id, password_hash: checked }: PersonRow): Promise<Begun> => {
      const begun = await begin((session) => people.signIn(id, { checked }, session));
      if (!begun) throw wrongWords();
      return begun;
    },
    /** A new code for choosing a password; the old password works until the code is used. */
    newReset: async (name: string): Promise<{ readonly code: Secret; readonly expires: number }> => {
      const person = await people.read(name);
      if (!person) throw nobody(name);
      if (person.issuer !== null) throw vouchedFor(name);
      return resets.issue(String(person.id));
    },
    /** Sets a password with such a code. Ends all sessions of the person. */
    reset: async (code: Secret, password: Secret): Promise<PersonRow> => {
      // Looked up before anything costly is done for a stranger, and again afterwards: a code works once.
      if (resets.look(code) === undefined) throw wrongCode();
      const passwordHash = await passwords.hash(password);
      const id = resets.look(code);
      if (id !== undefined) resets.end(id);
      const person = id && (await people.renew(Number(id), passwordHash));
      if (!person) throw wrongCode();
      return person;
    },
  };
};

/** Whoever an identity provider vouches for has none. */
const passwordOf = (person: PersonRow | undefined): string | undefined => person?.password_hash || undefined;

type Vouched = Omit<VouchedPerson, "created" | "narrowed"> & {
  /** Absent: as it is here. */
  readonly narrowed?: Narrowed | undefined;
};

/** The way in for whom an identity provider vouches for. */
const createVouchedEntrance = ({ people }: Pick<Store, "people">, clock: FarmClock) => ({
  /**
   * Makes the person, or changes their role and name to what holds now; who has linked the account keeps both, and has no
   * stronger role than this in the session. It ends after that time, however it is used.
   */
  signInVouched: async ({ narrowed: only, ...person }: Vouched, lifeMs: number): Promise<Begun> => {
    const narrowed = only && { ...notNarrowed, ...writeNarrowed({ only_tags: only.tags, only_groups: only.groups }) };
    const vouched = { ...person, narrowed, created: clock.now() };
    let isLinked = false;
    let entered = notNarrowed;
    const enter: Enter = async (pass) => {
      const row = await people.enter(vouched, mostPeople, pass);
      entered = row ?? notNarrowed;
      isLinked = row !== undefined && (row.issuer !== vouched.issuer || row.subject !== vouched.subject);
      return row;
    };
    const begun = await beginSession(clock, enter, lifeMs);
    if (begun) {
      const { role: own } = begun.session;
      const role = isLinked ? weakerRole(own, person.role) : own;
      const session = { ...begun.session, issuer: person.issuer, role, narrowed: narrowedIn(role, entered) };
      return { ...begun, session };
    }
    const [name = ""] = person.names;
    throw new AppError(
      "CONFLICT",
      `There is somebody called ${name} already: an owner of this farm removes them first`,
    );
  },
  /** Removes one person of a provider, or all, with their sessions. Gives how many. */
  removeVouched: (issuer: string, subject: string | null): Promise<number> => people.leave(issuer, subject),
});

/** The line in which those wait who share an address: limits on guesses count by it. */
export const addressLine = (address: string): string => `address ${shareOf(address)}`;

type Enter = (session: NewPass) => Promise<PersonRow | undefined>;

/** Begins a session in the same transaction that admits the person. */
const beginSession = async (clock: FarmClock, enter: Enter, lifeMs = idleMs): Promise<Begun | undefined> => {
  const token = newSecret();
  const hash = hashSecret(token);
  const now = clock.steady();
  const person = await enter({ hash, now, expires: now + lifeMs, most: mostSessions });
  if (!person) return undefined;
  const { id, name, role, issuer: home } = person;
  return {
    token,
    session: { id, name, role, narrowed: narrowedIn(role, person), hash, issuer: null, home, since: now },
  };
};

const createSessions = ({ people, passes }: Pick<Store, "people" | "passes">, clock: FarmClock) => {
  const isAlive = ({ expires }: SessionRow): boolean => expires > clock.steady();
  const slide = (hash: string, { created, expires, issuer }: SessionRow): void => {
    // Its provider is asked again at its end.
    if (issuer !== null) return;
    const later = Math.min(clock.steady() + idleMs, created + longestSessionMs);
    if (later - expires < slideEveryMs) return;
    // Nobody waits for it: if the write is lost, the person has to sign in again.
    passes.extend("session", hash, later, clock.now()).catch(() => {});
  };
  return {
    /** The session of a cookie; every use extends it. Undefined if it is unknown or has expired. */
    use: async (token: Secret): Promise<Session | undefined> => {
      const hash = hashSecret(token);
      const row = await passes.read("session", hash);
      if (!row || !isAlive(row)) return undefined;
      slide(hash, row);
      const { person_id: id, name, issuer, home, created: since, most_role } = row;
      const role = most_role === null ? row.role : weakerRole(row.role, most_role);
      return { id, name, role, narrowed: narrowedIn(role, row), hash, issuer, home, since };
    },
    /** Whether a session is still valid. Does not extend it. */
    lasts: async ({ hash }: Session): Promise<boolean> => {
      const row = await passes.read("session", hash);
      return row !== undefined && isAlive(row);
    },
    signOut: (token: Secret): Promise<void> => passes.end("session", hashSecret(token)),
    /** Says from where a session was begun, for its person to recognise it. */
    describe: ({ hash }: Session, origin: string, browser: string): Promise<void> =>
      passes.describe(hash, origin.slice(0, 100), browser.slice(0, 300)),
    /** The person's sessions that are not over, the newest first. Their times are the farm's. */
    sessions: ({ id }: Session): Promise<SessionHead[]> => passes.sessions(id, clock.steady()),
    /** Ends one of the person's own sessions. */
    endSession: async ({ id }: Session, name: string): Promise<void> => {
      const found = (await passes.sessions(id, clock.steady())).find(({ hash }) => sessionName(hash) === name);
      if (!found) throw new AppError("NOT_FOUND", signInRefusals.noSession);
      await passes.end("session", found.hash);
    },
    /** Ends all sessions that were begun by a provider, null: with passwords and passkeys, but not the given one. */
    endSessions: (issuer: string | null, { hash }: Session): Promise<void> => people.endSessions(issuer, hash),
  };
};

/** By what people name a session: a part of its hash opens nothing. */
export const sessionName = (hash: string): string => hash.slice(0, 16);

const wrongWords = () => new AppError("NOT_AUTHENTICATED", signInRefusals.wrongWords);
const wrongCode = () => new AppError("NOT_AUTHENTICATED", signInRefusals.wrongLink);
const hasOwner = () => new AppError("CONFLICT", signInRefusals.hasOwner);
const vouchedFor = (name: string) =>
  new AppError("CONFLICT", `${name} signs in at an identity provider: role and password are changed there`);
const nobody = (name: string) => new AppError("NOT_FOUND", `There is nobody called ${name}`);

const requireChanged = (found: PersonRow | PersonRefusal, name: string): PersonRow => {
  if (found === "nobody") throw nobody(name);
  if (found === "vouched for") throw vouchedFor(name);
  if (found === "last owner")
    throw new AppError("CONFLICT", `${name} is the only owner: make somebody else an owner first`);
  return found;
};
