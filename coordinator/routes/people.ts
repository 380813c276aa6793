import { AppError } from "../../shared/errors.ts";
import type { SignedIn } from "../../shared/person.ts";
import type { PersonRow } from "../db/people.ts";
import type { Visit } from "../http/session-guard.ts";
import type { Throttle } from "../http/throttle.ts";
import type { UiHandlers } from "../http/ui.ts";
import type { Begun, People, Session } from "../people.ts";
import { isoTime } from "../work/info.ts";

type PeopleRoutes =
  | "getSession"
  | "signIn"
  | "signOut"
  | "signInFirst"
  | "listPeople"
  | "createPerson"
  | "updatePerson"
  | "deletePerson";

export const peopleHandlers = (people: People, throttle: Throttle): Pick<UiHandlers, PeopleRoutes> => {
  const enter = (ip: string, key: string, { setCookie }: Visit, begin: () => Promise<Begun>): Promise<SignedIn> =>
    throttle.fewAtOnce(`address ${ip}`, async () => {
      const keys = [`address ${ip}`, key];
      try {
        const { token, session } = await begin();
        throttle.forgive(keys);
        setCookie(token);
        return signedInOf(session);
      } catch (problem) {
        if (problem instanceof AppError) await throttle.punish(keys);
        throw problem;
      }
    });

  return {
    getSession: (_args, { allowed }) => signedInOf(sessionOf(allowed)),
    signIn: ({ name, password }, { ip, allowed }) =>
      enter(ip, `person ${name.trim().toLowerCase()}`, allowed, () => people.signIn(name, password)),
    signOut: async (_args, { allowed: { token, setCookie } }) => {
      if (token !== undefined) await people.signOut(token);
      setCookie(null);
      return {};
    },
    signInFirst: ({ code, name, password }, { ip, allowed }) =>
      enter(ip, "first code", allowed, () => people.signInFirst(code, name, password)),
    listPeople: () => ({ items: people.list().map(personOf) }),
    createPerson: async ({ name, password, role }) => personOf(await people.create(name, password, role)),
    updatePerson: async ({ name, role, password }, { allowed }) =>
      personOf(await people.update(name, { role, password }, sessionOf(allowed))),
    deletePerson: async ({ name }) => {
      await people.remove(name);
      return {};
    },
  };
};

/** The guard of a route with a role let nobody through without one. */
const sessionOf = ({ session }: Visit): Session => {
  if (!session) throw new AppError("NOT_AUTHENTICATED", "Nobody is signed in");
  return session;
};

const signedInOf = ({ name, role }: Session): SignedIn => ({ name, role });
const personOf = ({ name, role, created }: PersonRow) => ({ name, role, created: isoTime(created) });
