import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { Visit } from "../http/session-guard.ts";
import type { SignInThrottle } from "../http/sign-in-throttle.ts";
import type { UiHandlers } from "../http/ui.ts";
import type { Identity } from "../identity/identity.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { addressLine, type People, type Session } from "../people/people.ts";
import type { SecondSteps } from "../second-steps/second-steps.ts";
import { type PersonRow, personKey } from "../store/people.ts";
import { createPasswordAgain } from "./account.ts";
import { personOf, requireBrowser, sessionOf } from "./people.ts";

type Parts = {
  readonly farm: Pick<Nodes, "clock">;
  readonly people: People;
  readonly identity: Identity;
  readonly steps: SecondSteps;
};
type Given = { readonly ip: string; readonly allowed: Visit };
type Again = { readonly password?: Secret | undefined; readonly one_time_code?: Secret | undefined };

/** Routes of accounts at identity providers that people link to themselves. */
export const linkHandlers = ({ farm, people, identity, steps }: Parts, throttle: SignInThrottle) => {
  const passwordAgain = createPasswordAgain({ farm, people, identity }, throttle);
  const askAgain = async ({ password, one_time_code: code }: Again, given: Given): Promise<void> => {
    const session = sessionOf(given.allowed);
    if (code === undefined || session.home !== null) return passwordAgain(password, given);
    await throttle.fewAtOnce(`${given.ip} session ${session.id}`, async () => {
      if (await steps.isCode(session, code)) return;
      await throttle.punish([addressLine(given.ip), `person ${personKey(session.name)}`]);
      throw invalid([{ path: "one_time_code", message: signInRefusals.wrongStep }]);
    });
  };
  const asksOf = async (session: Session) => {
    if (!(await identity.hasOwnPassword(session))) return "fresh sign-in" as const;
    return (await steps.hasCodes(session)) ? ("password or code" as const) : ("password" as const);
  };

  return {
    listLinks: async (_args, { allowed }) => {
      const session = sessionOf(allowed);
      return { ...(await identity.linksOf(session)), asks: await asksOf(session) };
    },
    beginLink: async ({ provider, ...again }, given) => {
      requireBrowser(given.allowed);
      await askAgain(again, given);
      const { hash } = sessionOf(given.allowed);
      const { address, sealed } = await throttle.fewAtOnce(`${addressLine(given.ip)} provider`, () =>
        identity.begin(provider, given.allowed.origin, { page: "/account", links: hash }),
      );
      given.allowed.keep("attempt", sealed);
      return { go_to: address };
    },
    finishLink: async ({ provider, ...answer }, { allowed }) => {
      requireBrowser(allowed);
      const { page } = await identity.finishLink(provider, answer, allowed.kept("attempt"), sessionOf(allowed));
      allowed.keep("attempt", null);
      return { provider, page };
    },
    endLink: async ({ provider, ...again }, given) => {
      await askAgain(again, given);
      await identity.endOwnLink(sessionOf(given.allowed), provider);
      return {};
    },
    endPersonLink: async ({ name, provider }, { allowed }) => {
      const row = await requirePerson(people, name);
      await identity.endLinkOf(row, provider, sessionOf(allowed));
      const nameOf = await identity.providerNames();
      return personOf(row, { provider: nameOf(row.issuer), links: (await identity.linkNames())(row.id) });
    },
  } satisfies Partial<UiHandlers>;
};

const requirePerson = async (people: People, name: string): Promise<PersonRow> => {
  const key = personKey(name);
  const found = (await people.list()).find((each) => personKey(each.name) === key);
  if (found) return found;
  throw new AppError("NOT_FOUND", `There is nobody called ${name.slice(0, 100)}`);
};
