import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { PasskeyQuestion, UsedPasskey } from "../../shared/people/second-steps.ts";
import type { HalfSession } from "../people/half-sessions.ts";
import type { Begun } from "../people/people.ts";
import type { PersonRow } from "../store/people.ts";
import type { Challenges } from "./challenges.ts";
import type { SecondStepNeeds } from "./needs.ts";
import { idOfHandle, questionOf, verifyUsed } from "./passkeys.ts";
import { passkeyPlace } from "./place.ts";
import { CopiedPasskey, readSteps, unknownPasskey, withUsedPasskey, writeSteps } from "./steps.ts";

/** The browser that asks: its address, the page's origin, and the right password before it, if there was one. */
export type Asking = { readonly ip: string; readonly origin: string; readonly half: Secret | undefined };

/** Signing in with a passkey: alone, or after the password. */
export const createPasskeySignIn = ({ farm, people }: SecondStepNeeds, challenges: Challenges) => {
  const { store, vault, clock, log, trail } = farm;
  const halfOf = (half: Secret | undefined): HalfSession | undefined => {
    const found = people.halves.read(half);
    return found?.step === "prove" ? found : undefined;
  };
  const askedOf = ({ origin, half }: Asking) => {
    const place = passkeyPlace(origin);
    if (place.refused !== null) throw new AppError("CONFLICT", place.refused);
    const found = halfOf(half);
    return { place, half: found, asked: { purpose: "sign in" as const, within: found?.hash ?? "", origin } };
  };
  /** Stores the count. A copy is told to those who read the audit. */
  const count = async (person: PersonRow, id: string, counter: number, { ip }: Asking): Promise<void> => {
    try {
      const now = clock.now();
      const used = (text: string) => writeSteps(withUsedPasskey(readSteps(text), id, counter, now));
      if (!(await store.people.changeSteps(person.id, used))) throw unknownPasskey();
    } catch (problem) {
      if (!(problem instanceof CopiedPasskey)) throw problem;
      const { name, counter: before } = problem.passkey;
      const about = { name, counter, before };
      log.warn({ person: person.id, ...about }, "a passkey counts backwards: there may be a copy of it");
      const who = `${person.name} (person ${person.id})`;
      trail.note({ who, origin: ip, action: "passkeyCountsBackwards", refusal: "NOT_AUTHENTICATED", about });
      throw new AppError("NOT_AUTHENTICATED", signInRefusals.copiedPasskey);
    }
  };

  return {
    askPasskey: (asking: Asking): { readonly question: PasskeyQuestion; readonly sealed: Secret } => {
      const { place, half, asked } = askedOf(asking);
      const { challenge, sealed } = challenges.issue(asked);
      const known = half && readSteps(half.person.second_steps).passkeys;
      return { question: questionOf(challenge, place.host, known), sealed };
    },
    usePasskey: async (asking: Asking, given: UsedPasskey, sealed: Secret | undefined): Promise<Begun> => {
      const { place, half, asked } = askedOf(asking);
      const challenge = challenges.use(sealed, asked);
      const id = given.user === null ? half?.person.id : idOfHandle(vault, given.user);
      const person = (await people.list()).find((each) => each.id === id && each.issuer === null);
      const passkey = person && readSteps(person.second_steps).passkeys.find((each) => each.id === given.id);
      if (!person || !passkey) throw unknownPasskey();
      if (half && half.person.id !== person.id)
        throw new AppError("NOT_AUTHENTICATED", `This passkey is not ${half.person.name}'s`);
      const counter = await verifyUsed(given, passkey, challenge, place).catch((problem: unknown) => {
        log.info({ err: problem, person: person.id }, "a passkey is refused");
        throw new AppError("NOT_AUTHENTICATED", signInRefusals.unfitAnswer);
      });
      await count(person, passkey.id, counter, asking);
      const begun = await people.enter(half?.person ?? person);
      if (half) people.halves.end(half.hash);
      return begun;
    },
  };
};
