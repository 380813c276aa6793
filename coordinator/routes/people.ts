import { AppError } from "../../shared/basics/errors.ts";
import { invalid } from "../../shared/basics/validation.ts";
import type { SignedIn } from "../../shared/people/person.ts";
import type { Visit } from "../http/session-guard.ts";
import type { SignInThrottle } from "../http/sign-in-throttle.ts";
import type { UiHandlers } from "../http/ui.ts";
import { isoTime } from "../iso-time.ts";
import type { Begun, People, Session } from "../people/people.ts";
import { type PersonRow, personKey } from "../store/people.ts";

export const peopleHandlers = (people: People, throttle: SignInThrottle) => {
  const enter = async (
    ip: string,
    key: string,
    { setCookie }: Visit,
    begin: () => Promise<Begun>,
  ): Promise<SignedIn> => {
    const keys = [`address ${ip}`, key];
    try {
      const { token, session } = await throttle.oneByOne(`${ip} ${key}`, begin);
      throttle.forgive(keys);
      setCookie(token);
      return signedInOf(session);
    } catch (problem) {
      if (problem instanceof AppError && problem.code !== "TOO_MANY_ATTEMPTS") await throttle.punish(keys);
      throw problem;
    }
  };

  return {
    getSession: (_args, { allowed }) => signedInOf(sessionOf(allowed)),
    signIn: ({ name, password }, { ip, allowed }) =>
      enter(ip, `person ${personKey(name)}`, allowed, () => people.signIn(name, password, ip)),
    signOut: async (_args, { allowed: { token, setCookie } }) => {
      if (token !== undefined) await people.signOut(token);
      setCookie(null);
      return {};
    },
    signInFirst: ({ code, name, password }, { ip, allowed }) =>
      enter(ip, "first code", allowed, () => people.signInFirst(code, name, password)),
    signInReset: ({ code, password }, { ip, allowed }) =>
      enter(ip, "reset code", allowed, () => people.signInReset(code, password)),
    changePassword: ({ password, new_password }, { ip, allowed }) =>
      throttle.fewAtOnce(`${ip} session ${sessionOf(allowed).id}`, async () => {
        const session = sessionOf(allowed);
        if (!(await people.isPassword(session, password))) {
          await throttle.punish([`address ${ip}`, `person ${personKey(session.name)}`]);
          throw wrongPassword();
        }
        await people.update(session.name, { password: new_password }, session);
        return {};
      }),
    resetPerson: async ({ name }) => {
      const { code, expires } = await people.newReset(name);
      return { code: code.reveal(), expires: isoTime(expires) };
    },
    listPeople: async () => ({ items: (await people.list()).map(personOf) }),
    createPerson: async ({ name, password, role }) => personOf(await people.create(name, password, role)),
    updatePerson: async ({ name, role, password }, { allowed }) =>
      personOf(await people.update(name, { role, password }, sessionOf(allowed))),
    deletePerson: async ({ name }) => {
      await people.remove(name);
      return {};
    },
  } satisfies Partial<UiHandlers>;
};

/** For a signed-in person who must enter the password again. */
export const wrongPassword = (): AppError =>
  invalid([{ path: "password", message: "is wrong: enter the one that you sign in with" }]);

/** The guard of a route with a role accepts nobody without one. */
export const sessionOf = ({ session }: Visit): Session => {
  if (!session) throw new AppError("NOT_AUTHENTICATED", "Nobody is signed in");
  return session;
};

const signedInOf = ({ name, role }: Session): SignedIn => ({ name, role });
const personOf = ({ name, role, created }: PersonRow) => ({ name, role, created: isoTime(created) });
