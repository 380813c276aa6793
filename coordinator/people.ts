import { AppError } from "../shared/errors.ts";
import type { Role, SignedIn } from "../shared/person.ts";
import type { Db } from "./db/open.ts";
import type { PersonRow, SessionRow } from "./db/people.ts";
import type { Stores } from "./db/stores.ts";
import type { FarmClock } from "./farm-clock.ts";
import { createOneTimeCodes } from "./one-time-codes.ts";
import type { Passwords } from "./passwords.ts";
import { hashSecret, isSameText, newSecret } from "./secrets.ts";

/** A link for a new password opens so long. */
export const resetMs = 3_600_000;
export const idleMs = 12 * 3_600_000;
export const longestSessionMs = 30 * 24 * 3_600_000;
/** Of one person: who signs in once more beyond it is signed out where they were idle longest. */
export const mostSessions = 100;
/** A session's life is written down at most this often. */
const slideEveryMs = 60_000;

/** A signed-in person, as the pages' guard knows them: `id` is theirs, `hash` names the session. */
export type Session = SignedIn & {
  readonly id: number;
  readonly hash: string;
  /** No person: the command line on the machine itself. */
  readonly isMachine?: true;
};
export type Begun = { readonly token: string; readonly session: Session };

export type People = ReturnType<typeof createPeople>;

/** Who may use the pages: makes the first owner, signs people in and out, keeps their sessions and their list. */
export const createPeople = (db: Db, { people }: Pick<Stores, "people">, passwords: Passwords, clock: FarmClock) => {
  let firstCodeHash: string | undefined;
  const resets = createOneTimeCodes(clock, resetMs);

  /** Inside a commit. */
  const begin = ({ id, name, role }: PersonRow): Begun => {
    const token = newSecret();
    const hash = hashSecret(token);
    const now = clock.steady();
    people.dropExpiredSessions(now);
    people.dropSessionsBeyond(id, mostSessions - 1);
    people.createSession(hash, id, now, now + idleMs);
    return { token, session: { id, name, role, hash } };
  };

  const isAlive = ({ expires }: SessionRow): boolean => expires > clock.steady();

  const slide = (hash: string, { created, expires }: SessionRow): void => {
    const later = Math.min(clock.steady() + idleMs, created + longestSessionMs);
    if (later - expires < slideEveryMs) return;
    // Nobody waits for it: should the write be lost, the person signs in once more.
    db.commit(() => people.extendSession(hash, later)).catch(() => {});
  };

  return {
    /** A new code for the first sign-in, known to nobody else; null once there is somebody. */
    newFirstCode: (): string | null => {
      if (people.count() > 0) return null;
      const code = newSecret();
      firstCodeHash = hashSecret(code);
      return code;
    },
    signInFirst: async (code: string, name: string, password: string): Promise<Begun> => {
      requireNobody(people.count());
      if (firstCodeHash === undefined || !isSameText(hashSecret(code), firstCodeHash)) {
        throw new AppError(
          "NOT_AUTHENTICATED",
          "The code is wrong: the newest link is printed where the farm was started",
        );
      }
      const passwordHash = await passwords.hash(password);
      return db.commit(() => {
        // Counted again: while one password was hashed, the same code may have been used.
        requireNobody(people.count());
        return begin(people.insert({ name, role: "owner", passwordHash, created: clock.now() }));
      });
    },
    signIn: async (name: string, password: string): Promise<Begun> => {
      const known = people.read(name);
      const isRight = await passwords.isRight(password, known?.password_hash);
      return db.commit(() => {
        // Read again: the password may have been changed while it was checked.
        const person = people.get(name);
        if (isRight && person && person.password_hash === known?.password_hash) return begin(person);
        throw new AppError("NOT_AUTHENTICATED", "Name or password is wrong");
      });
    },
    /** The session of a cookie, whose end every use moves on; undefined where it is not known or has ended. */
    use: (token: string): Session | undefined => {
      const hash = hashSecret(token);
      const row = people.session(hash);
      if (!row || !isAlive(row)) return undefined;
      slide(hash, row);
      return { id: row.person_id, name: row.name, role: row.role, hash };
    },
    /** Whether a session still lasts; looking does not prolong it. */
    lasts: ({ hash }: Session): boolean => {
      const row = people.session(hash);
      return row !== undefined && isAlive(row);
    },
    signOut: (token: string): Promise<void> => db.commit(() => people.dropSession(hashSecret(token))),
    isPassword: async ({ name }: Session, password: string): Promise<boolean> =>
      passwords.isRight(password, people.read(name)?.password_hash),
    /** A new code with which the person may choose a password; the old one holds until then. */
    newReset: (name: string): { readonly code: string; readonly expires: number } =>
      resets.issue(String(requirePerson(people.read(name), name).id)),
    /** Sets a password by such a code and signs in; whoever was signed in as this person is so no more. */
    signInReset: async (code: string, password: string): Promise<Begun> => {
      const passwordHash = await passwords.hash(password);
      return db.commit(() => {
        const id = resets.look(code);
        const person = id === undefined ? undefined : people.getById(Number(id));
        if (id === undefined || !person)
          throw new AppError("NOT_AUTHENTICATED", "The link is used, too old or wrong: ask for a new one");
        resets.end(id);
        people.update(person.id, { passwordHash });
        people.dropOtherSessions(person.id, "");
        return begin(person);
      });
    },
    list: (): PersonRow[] => people.readAll(),
    create: async (name: string, password: string, role: Role): Promise<PersonRow> => {
      const passwordHash = await passwords.hash(password);
      return db.commit(() => {
        if (people.get(name)) throw new AppError("CONFLICT", `There is somebody called ${name} already`);
        return people.insert({ name, role, passwordHash, created: clock.now() });
      });
    },
    /** A new password ends all sessions of the person but the one that asked for it. */
    update: async (
      name: string,
      { role, password }: { readonly role?: Role; readonly password?: string },
      by: Session,
    ): Promise<PersonRow> => {
      const passwordHash = password === undefined ? undefined : await passwords.hash(password);
      return db.commit(() => {
        const person = requirePerson(people.get(name), name);
        if (role !== undefined && role !== "owner") requireOtherOwner(people.hasOtherOwner(person.id), person);
        people.update(person.id, { role, passwordHash });
        if (passwordHash !== undefined) people.dropOtherSessions(person.id, by.hash);
        return { ...person, role: role ?? person.role };
      });
    },
    remove: (name: string): Promise<void> =>
      db.commit(() => {
        const person = requirePerson(people.get(name), name);
        requireOtherOwner(people.hasOtherOwner(person.id), person);
        people.remove(person.id);
      }),
  };
};

const requireNobody = (count: number): void => {
  if (count > 0) throw new AppError("CONFLICT", "This farm has an owner already: ask them to let you sign in");
};

const requirePerson = (person: PersonRow | undefined, name: string): PersonRow => {
  if (!person) throw new AppError("NOT_FOUND", `There is nobody called ${name}`);
  return person;
};

const requireOtherOwner = (hasOtherOwner: boolean, { name, role }: PersonRow): void => {
  if (role !== "owner" || hasOtherOwner) return;
  throw new AppError("CONFLICT", `${name} is the only owner: make somebody else an owner first`);
};
