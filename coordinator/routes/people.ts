import { AppError } from "../../shared/basics/errors.ts";
import { invalid } from "../../shared/basics/validation.ts";
import type { SignedIn } from "../../shared/people/person.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { Unfinished } from "../../shared/people/second-steps.ts";
import type { FarmClock } from "../farm-clock.ts";
import type { Visit } from "../http/session-guard.ts";
import type { SignInThrottle } from "../http/sign-in-throttle.ts";
import type { UiHandlers } from "../http/ui.ts";
import type { Identity } from "../identity/identity.ts";
import { isoTime } from "../iso-time.ts";
import { readNarrowed } from "../people/narrowed.ts";
import { addressLine, type Begun, type People, type Session, sessionName } from "../people/people.ts";
import type { Entrance, SecondSteps } from "../second-steps/second-steps.ts";
import { hasStep, readSteps } from "../second-steps/steps.ts";
import { type NarrowedRow, type PersonRow, personKey, type SessionHead } from "../store/people.ts";

export type PeopleParts = {
  readonly people: People;
  /** Who is let in by what. */
  readonly identity: Identity;
  readonly steps: SecondSteps;
  readonly throttle: SignInThrottle;
  readonly clock: Pick<FarmClock, "wallOf">;
};

/** Routes of sessions and people. */
export const peopleHandlers = ({ people, identity, steps, throttle, clock }: PeopleParts) => {
  const { guarded, enter, welcome } = createEntering({ people, throttle });
  /** Lets somebody in by a right password, or keeps it until the second step. */
  const goOn = ({ ip, allowed }: Given, key: string, begin: () => Promise<Entrance>): Promise<SignedIn | Unfinished> =>
    guarded(ip, key, async () => {
      const entrance = await begin();
      if ("begun" in entrance) return welcome(ip, allowed, entrance.begun);
      allowed.keep("half", entrance.half);
      return entrance.answer;
    });

  return {
    getSession: async (_args, { allowed }) => {
      const session = sessionOf(allowed);
      return sessionViewOf(session, (await identity.providerNames())(session.issuer));
    },
    signIn: async ({ name, password }, given) => {
      await identity.requirePasswords();
      return goOn(given, `person ${personKey(name)}`, async () =>
        steps.goOn(await people.requirePassword(name, password, given.ip), given.allowed.origin),
      );
    },
    signOut: async (_args, { allowed: { token, origin, setCookie } }) => {
      const session = token && (await people.use(token));
      if (token !== undefined) await people.signOut(token);
      setCookie(null);
      return { go_to: session ? await identity.addressToLeave(session, origin) : null };
    },
    listSessions: async (_args, { allowed }) => {
      const own = sessionOf(allowed);
      return { items: (await people.sessions(own)).map((each) => sessionHeadOf(each, own.hash, clock)) };
    },
    endSession: async ({ session_id }, { allowed }) => {
      await people.endSession(sessionOf(allowed), session_id);
      return {};
    },
    listSignIns: () => identity.ways(),
    beginSignIn: async ({ provider, page }, { ip, allowed }) => {
      requireBrowser(allowed);
      const { address, sealed } = await throttle.fewAtOnce(`${addressLine(ip)} provider`, () =>
        identity.begin(provider, allowed.origin, { page: page ?? null, links: null }),
      );
      allowed.keep("attempt", sealed);
      return { go_to: address };
    },
    finishSignIn: async ({ provider, ...answer }, { ip, allowed }) => {
      requireBrowser(allowed);
      let page: string | null = null;
      const entered = await enter(ip, `provider ${provider}`, allowed, async () => {
        const finished = await identity.finish(provider, answer, allowed.kept("attempt"));
        page = finished.page;
        return finished.begun;
      });
      allowed.keep("attempt", null);
      return { ...entered, provider, page };
    },
    signInFirst: ({ code, name, password }, given) =>
      goOn(given, "first code", async () =>
        steps.goOnFirst(await people.signInFirst(code, name, password), given.allowed.origin),
      ),
    signInReset: async ({ code, password }, given) => {
      await identity.requirePasswords();
      return goOn(given, "reset code", async () =>
        steps.goOn(await people.reset(code, password), given.allowed.origin),
      );
    },
    changePassword: ({ password, new_password }, { ip, allowed }) =>
      throttle.fewAtOnce(`${ip} session ${sessionOf(allowed).id}`, async () => {
        const session = sessionOf(allowed);
        const keys = [addressLine(ip), `person ${personKey(session.name)}`];
        if (!(await people.isPassword(session, password))) {
          await throttle.punish(keys);
          throw wrongPassword();
        }
        throttle.forgive(keys);
        await people.update(session.name, { password: new_password }, session);
        return {};
      }),
    resetPerson: async ({ name }) => {
      const { code, expires } = await people.newReset(name);
      return { code: code.reveal(), expires: isoTime(expires) };
    },
    listPeople: async () => {
      const [nameOf, linksOf] = [await identity.providerNames(), await identity.linkNames()];
      const rows = await people.list();
      return { items: rows.map((row) => personOf(row, { provider: nameOf(row.issuer), links: linksOf(row.id) })) };
    },
    createPerson: async ({ name, password, role, ...only }) =>
      personOf(await people.create(name, password, role, only), { links: [] }),
    updatePerson: async ({ name, ...change }, { allowed }) => {
      const row = await people.update(name, change, sessionOf(allowed));
      const provider = (await identity.providerNames())(row.issuer);
      return personOf(row, { provider, links: (await identity.linkNames())(row.id) });
    },
    deletePerson: async ({ name }) => {
      await people.remove(name);
      return {};
    },
    getIdentity: () => identity.view(),
    setIdentity: ({ passwords }, { allowed }) => identity.setPasswords(passwords, sessionOf(allowed)),
    putProvider: (given, { allowed }) => identity.putProvider(given, sessionOf(allowed)),
    deleteProvider: ({ name }, { allowed }) => identity.removeProvider(name, sessionOf(allowed)),
    testProvider: ({ name }) => identity.test(name),
  } satisfies Partial<UiHandlers>;
};

type Given = { readonly ip: string; readonly allowed: Visit };

/** How strangers are let in: with limits on guesses by address and name, and a cookie. */
export const createEntering = ({ people, throttle }: Pick<PeopleParts, "people" | "throttle">) => {
  const guarded = async <T>(ip: string, key: string, tryIt: () => Promise<T>): Promise<T> => {
    const keys = [addressLine(ip), key];
    try {
      const made = await throttle.oneByOne(`${addressLine(ip)} ${key}`, tryIt);
      throttle.forgive(keys);
      return made;
    } catch (problem) {
      if (problem instanceof AppError && problem.code !== "TOO_MANY_ATTEMPTS") await throttle.punish(keys);
      throw problem;
    }
  };
  const welcome = async (ip: string, { setCookie, browser }: Visit, { token, session }: Begun): Promise<SignedIn> => {
    await people.describe(session, ip, browser);
    setCookie(token);
    return sessionViewOf(session);
  };
  return {
    guarded,
    welcome,
    enter: (ip: string, key: string, visit: Visit, begin: () => Promise<Begun>): Promise<SignedIn> =>
      guarded(ip, key, async () => welcome(ip, visit, await begin())),
  };
};

/** For a signed-in person who must enter the password again. */
export const wrongPassword = (): AppError => invalid([{ path: "password", message: signInRefusals.wrongPassword }]);

/** The guard of a route with a role accepts nobody without one. */
export const sessionOf = ({ session }: Visit): Session => {
  if (!session) throw new AppError("NOT_AUTHENTICATED", "Nobody is signed in");
  return session;
};

/** A command has no cookie to come back with. */
export const requireBrowser = ({ session }: Visit): void => {
  if (session?.isMachine) throw new AppError("CONFLICT", "Providers let people in by a browser: open the farm's pages");
};

const sessionViewOf = (session: Session, provider?: string): SignedIn => ({
  ...signedInOf(session, provider),
  ...(session.narrowed && { only_tags: [...session.narrowed.tags], only_groups: [...session.narrowed.groups] }),
  ...(session.issuer !== null && session.home === null && { is_local: true as const }),
});
const signedInOf = ({ name, role }: Pick<SignedIn, "name" | "role">, provider?: string): SignedIn => ({
  ...{ name, role },
  ...(provider !== undefined && { provider }),
});
export const personOf = (
  { created, ...row }: PersonRow,
  { provider, links }: { readonly provider?: string | undefined; readonly links: string[] },
) => ({
  ...signedInOf(row, provider),
  links,
  created: isoTime(created),
  second_step: hasStep(readSteps(row.second_steps)),
  ...narrowedView(row),
});

const narrowedView = (row: NarrowedRow) => {
  const { tags, groups } = readNarrowed(row);
  return { only_tags: [...tags], only_groups: [...groups] };
};

const sessionHeadOf = (
  { hash, created, expires, origin, browser }: SessionHead,
  own: string,
  { wallOf }: Pick<FarmClock, "wallOf">,
) => ({
  ...{ id: sessionName(hash), began: isoTime(wallOf(created)), ends: isoTime(wallOf(expires)) },
  ...{ origin, browser, is_this: hash === own },
});
