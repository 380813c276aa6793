import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import type { IdentityView } from "../../shared/people/identity.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { RequiredFrom, Unfinished } from "../../shared/people/second-steps.ts";
import { changeIdentity, readIdentity, viewOfIdentity } from "../identity/settings.ts";
import type { Begun, Session } from "../people/people.ts";
import type { PersonRow } from "../store/people.ts";
import { createChallenges } from "./challenges.ts";
import type { SecondStepNeeds } from "./needs.ts";
import { createOwnSteps } from "./own-steps.ts";
import { createPasskeySignIn } from "./passkey-sign-in.ts";
import { passkeyPlace } from "./place.ts";
import {
  hasStep,
  missingStep,
  readSteps,
  type Steps,
  waysOf,
  withUsedCode,
  withUsedRecovery,
  writeSteps,
} from "./steps.ts";
import { createWrongCodes } from "./wrong-codes.ts";

/** What somebody comes to by a right password. */
export type Entrance = { readonly begun: Begun } | { readonly half: Secret; readonly answer: Unfinished };

/** By what a second step is shown. */
export type GivenProof = { readonly one_time_code?: Secret | undefined; readonly recovery_code?: Secret | undefined };

export type SecondSteps = ReturnType<typeof createSecondSteps>;

/** Passkeys and one-time codes: what people have beside their password, and who needs it. */
export const createSecondSteps = (needs: SecondStepNeeds) => {
  const { farm, people } = needs;
  const challenges = createChallenges(farm.vault, farm.clock);
  const goOn = async (person: PersonRow, origin: string): Promise<Entrance> => {
    const { second_step } = await readIdentity(farm);
    const step = missingStep(person, second_step);
    if (step === undefined) return { begun: await people.enter(person) };
    const half = people.halves.begin(person, step);
    const ways = waysOf(readSteps(person.second_steps));
    return { half, answer: { name: person.name, step, ways, not_here: passkeyPlace(origin).refused } };
  };
  return {
    ...createOwnSteps(needs, challenges),
    ...createPasskeySignIn(needs, challenges),
    ...createProofs(needs),
    /** Lets whoever has shown the password in, or says what is still missing. */
    goOn,
    /** The first owner, whose session nobody has seen yet: it counts only where nothing is missing. */
    goOnFirst: async (begun: Begun, origin: string): Promise<Entrance> => {
      const { second_step } = await readIdentity(farm);
      const person = await farm.store.people.read(begun.session.name);
      if (!person || missingStep(person, second_step) === undefined) return { begun };
      await people.signOut(begun.token);
      return goOn(person, origin);
    },
    hasCodes: async ({ name }: Session): Promise<boolean> => {
      const row = await farm.store.people.read(name);
      return row !== undefined && readSteps(row.second_steps).codes !== null;
    },
    /** An owner helps somebody who has lost what they had. */
    clear: async (name: string): Promise<PersonRow> => {
      const person = await farm.store.people.read(name);
      const changed = person && (await farm.store.people.changeSteps(person.id, () => ""));
      if (changed) return changed;
      throw new AppError("NOT_FOUND", `There is nobody called ${name}`);
    },
    /** Only who has a second step themselves shows that nobody is shut out; the machine itself may always. */
    require: async (from: RequiredFrom, by: Session): Promise<IdentityView> => {
      const own = (await people.list()).find(({ id }) => id === by.id);
      if (from !== null && !by.isMachine && by.home === null && !(own && hasStep(readSteps(own.second_steps))))
        throw new AppError("CONFLICT", signInRefusals.ownStepFirst);
      const { after } = await changeIdentity(farm, (before) => ({ ...before, second_step: from }));
      return viewOfIdentity(after);
    },
  };
};

/** The step after the password, by a code. */
const createProofs = ({ farm, people }: SecondStepNeeds) => {
  const wrong = createWrongCodes(farm.clock);
  const { store, vault, clock } = farm;
  const useCode = async ({ id }: PersonRow, given: GivenProof): Promise<PersonRow> => {
    const { one_time_code: code, recovery_code: recovery } = given;
    if (code) wrong.requireFew(id);
    const used = (steps: Steps): Steps => {
      if (code) return withUsedCode(steps, vault, code, clock.now());
      if (recovery) return withUsedRecovery(steps, vault, recovery);
      throw new AppError("VALIDATION_FAILED", "Give a code, or a recovery code");
    };
    const changed = await store.people.changeSteps(id, (text) => writeSteps(used(readSteps(text))));
    if (!changed) throw again();
    wrong.forget(id);
    return changed;
  };

  return {
    /** Who is asked for a step, for limits on guesses. */
    nameOfHalf: (half: Secret | undefined): string | undefined => people.halves.read(half)?.person.name,
    /** Whether it is a code of somebody who is signed in, which is used up by that. */
    isCode: async ({ id, name }: Session, code: Secret): Promise<boolean> => {
      const person = await store.people.read(name);
      if (person?.id !== id) return false;
      try {
        await useCode(person, { one_time_code: code });
        return true;
      } catch (problem) {
        if (!(problem instanceof AppError && problem.code === "NOT_AUTHENTICATED")) throw problem;
        wrong.note(id);
        return false;
      }
    },
    prove: async (half: Secret | undefined, given: GivenProof): Promise<Begun> => {
      const found = people.halves.read(half);
      if (found?.step !== "prove") throw again();
      try {
        await useCode(found.person, given);
      } catch (problem) {
        if (problem instanceof AppError && problem.code === "NOT_AUTHENTICATED") {
          people.halves.noteWrong(found.hash);
          if (given.one_time_code) wrong.note(found.person.id);
        }
        throw problem;
      }
      people.halves.end(found.hash);
      return people.enter(found.person);
    },
  };
};

/** For whoever took too long, or came without a password. */
const again = () => new AppError("NOT_AUTHENTICATED", signInRefusals.passwordAgain);
