import type { Visit } from "../http/session-guard.ts";
import type { SignInThrottle } from "../http/sign-in-throttle.ts";
import type { UiHandlers } from "../http/ui.ts";
import type { Identity } from "../identity/identity.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { People } from "../people/people.ts";
import type { Whose } from "../second-steps/own-steps.ts";
import type { SecondSteps } from "../second-steps/second-steps.ts";
import { personKey } from "../store/people.ts";
import { createPasswordAgain } from "./account.ts";
import { createEntering, personOf, sessionOf } from "./people.ts";

type Parts = {
  readonly farm: Pick<Nodes, "clock">;
  readonly people: People;
  readonly identity: Pick<Identity, "requirePasswords" | "hasOwnPassword" | "linkNames">;
  readonly steps: SecondSteps;
};

/** Routes of passkeys and one-time codes. */
export const secondStepHandlers = ({ farm, people, identity, steps }: Parts, throttle: SignInThrottle) => {
  const { enter, welcome } = createEntering({ people, throttle });
  const passwordAgain = createPasswordAgain({ farm, people, identity }, throttle);
  const askAgain: typeof passwordAgain = async (password, given) => {
    // They have just entered it.
    if (!given.allowed.entering) await passwordAgain(password, given);
  };
  /** Whoever set up what the farm wants is in. */
  const letIn = async (ip: string, allowed: Visit): Promise<void> => {
    if (!allowed.entering) return;
    const { person, hash } = allowed.entering;
    await welcome(ip, allowed, await people.enter(person));
    people.halves.end(hash);
    allowed.keep("half", null);
  };

  return {
    getSecondSteps: (_args, { allowed }) => steps.view(whoseOf(allowed)),
    beginCodes: async ({ password }, given) => {
      await askAgain(password, given);
      return steps.beginCodes(whoseOf(given.allowed));
    },
    confirmCodes: async ({ one_time_code }, { ip, allowed }) => {
      const made = await steps.confirmCodes(whoseOf(allowed), one_time_code);
      await letIn(ip, allowed);
      return made;
    },
    removeCodes: async ({ password }, given) => {
      await askAgain(password, given);
      return steps.removeCodes(whoseOf(given.allowed));
    },
    renewRecovery: async ({ password }, given) => {
      await askAgain(password, given);
      return steps.renewRecovery(whoseOf(given.allowed));
    },
    beginPasskey: async ({ password }, given) => {
      await askAgain(password, given);
      const { wish, sealed } = await steps.beginPasskey(whoseOf(given.allowed));
      given.allowed.keep("challenge", sealed);
      return wish;
    },
    addPasskey: async (made, { ip, allowed }) => {
      const added = await steps.addPasskey(whoseOf(allowed), made, allowed.kept("challenge"));
      await letIn(ip, allowed);
      allowed.keep("challenge", null);
      return added;
    },
    removePasskey: async ({ passkey_id, password }, given) => {
      await askAgain(password, given);
      return steps.removePasskey(whoseOf(given.allowed), passkey_id);
    },
    proveStep: async (proof, { ip, allowed }) => {
      await identity.requirePasswords();
      const half = allowed.kept("half");
      const key = `second step of ${personKey(steps.nameOfHalf(half) ?? "")}`;
      const entered = await enter(ip, key, allowed, () => steps.prove(half, proof));
      allowed.keep("half", null);
      return entered;
    },
    askPasskey: async (_args, { ip, allowed }) => {
      await identity.requirePasswords();
      const { question, sealed } = steps.askPasskey(askingOf(ip, allowed));
      allowed.keep("challenge", sealed);
      return question;
    },
    signInPasskey: async (used, { ip, allowed }) => {
      await identity.requirePasswords();
      const entered = await enter(ip, "passkey", allowed, () =>
        steps.usePasskey(askingOf(ip, allowed), used, allowed.kept("challenge")),
      );
      for (const what of ["challenge", "half"] as const) allowed.keep(what, null);
      return entered;
    },
    clearSecondSteps: async ({ name }) => {
      const row = await steps.clear(name);
      return personOf(row, { links: (await identity.linkNames())(row.id) });
    },
    setSecondStep: ({ from }, { allowed }) => steps.require(from, sessionOf(allowed)),
  } satisfies Partial<UiHandlers>;
};

const whoseOf = ({ session, entering, origin }: Visit): Whose =>
  entering
    ? { id: entering.person.id, within: entering.hash, isEntering: true, origin }
    : { id: session?.id ?? 0, within: session?.hash ?? "", isEntering: false, origin };

const askingOf = (ip: string, { origin, kept }: Visit) => ({ ip, origin, half: kept("half") });
