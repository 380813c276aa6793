import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { MadePasskey, PasskeyWish, SecondSteps } from "../../shared/people/second-steps.ts";
import { readIdentity } from "../identity/settings.ts";
import { isoOrNull, isoTime } from "../iso-time.ts";
import type { PersonRow } from "../store/people.ts";
import type { Challenges } from "./challenges.ts";
import type { SecondStepNeeds } from "./needs.ts";
import { newCodeSecret } from "./one-time-passwords.ts";
import { userHandle, verifyMade, wishOf } from "./passkeys.ts";
import { passkeyPlace } from "./place.ts";
import {
  confirmed,
  hasStep,
  isRequired,
  readSteps,
  requireStep,
  type Steps,
  withoutPasskey,
  withPasskey,
  withPending,
  withRecovery,
  writeSteps,
} from "./steps.ts";

/** Who changes their own second steps, and where. */
export type Whose = {
  readonly id: number;
  /** Names the session, or the half one. */
  readonly within: string;
  /** Only the password was shown: that sets up the first step, and no other. */
  readonly isEntering: boolean;
  readonly origin: string;
};

/** What people do with their own passkeys and codes. */
export const createOwnSteps = ({ farm, people }: SecondStepNeeds, challenges: Challenges) => {
  const { store, vault, clock } = farm;
  const rowOf = async (id: number): Promise<PersonRow> =>
    requireOwn((await people.list()).find((each) => each.id === id));
  const change = async (id: number, decide: (steps: Steps) => Steps): Promise<PersonRow> => {
    requireOwn(await rowOf(id));
    return requireOwn(await store.people.changeSteps(id, (text) => writeSteps(decide(readSteps(text)))));
  };
  const viewOf = async (row: PersonRow, origin: string): Promise<SecondSteps> => {
    const { second_step: from } = await readIdentity(farm);
    const { codes, recovery, passkeys } = readSteps(row.second_steps);
    return {
      codes: codes && { since: isoTime(codes.since) },
      recovery_left: recovery.length,
      passkeys: passkeys.map(({ id, name, host, created, used }) => ({
        ...{ id, name, host, created: isoTime(created), last_used: isoOrNull(used) },
      })),
      is_required: isRequired(from, row.role),
      not_here: passkeyPlace(origin).refused,
    };
  };
  /** The first step comes with recovery codes. */
  const add = async ({ id, isEntering }: Whose, decide: (steps: Steps) => Steps): Promise<{ recovery: string[] }> => {
    let recovery: string[] = [];
    await change(id, (before) => {
      const after = decide(before);
      if (isEntering && hasStep(before)) throw new AppError("NOT_AUTHENTICATED", signInRefusals.hasStep);
      if (hasStep(before)) return after;
      const { steps, shown } = withRecovery(after, vault);
      recovery = shown;
      return steps;
    });
    return { recovery };
  };
  const remove = async ({ id, origin }: Whose, decide: (steps: Steps) => Steps): Promise<SecondSteps> => {
    const [{ role }, { second_step: from }] = [await rowOf(id), await readIdentity(farm)];
    const row = await change(id, (steps) => requireStep(decide(steps), isRequired(from, role)));
    return viewOf(row, origin);
  };
  const placeOf = (origin: string) => {
    const place = passkeyPlace(origin);
    if (place.refused !== null) throw new AppError("CONFLICT", place.refused);
    return place;
  };

  return {
    view: async ({ id, origin }: Whose): Promise<SecondSteps> => viewOf(await rowOf(id), origin),
    beginCodes: async ({ id, origin }: Whose) => {
      const secret = newCodeSecret();
      const { name } = await change(id, (steps) => withPending(steps, vault, secret, clock.now()));
      const host = URL.canParse(origin) ? new URL(origin).hostname : "";
      return { secret: secret.reveal(), issuer: `Mediafarm ${host}`.trim(), account: name };
    },
    confirmCodes: (whose: Whose, code: Secret) => add(whose, (steps) => confirmed(steps, vault, code, clock.now())),
    removeCodes: (whose: Whose) => remove(whose, (steps) => ({ ...steps, codes: null, pending: null })),
    renewRecovery: async ({ id }: Whose): Promise<{ recovery: string[] }> => {
      let recovery: string[] = [];
      await change(id, (before) => {
        if (!hasStep(before)) throw new AppError("CONFLICT", signInRefusals.recoveryFirst);
        const { steps, shown } = withRecovery(before, vault);
        recovery = shown;
        return steps;
      });
      return { recovery };
    },
    beginPasskey: async ({ id, within, origin }: Whose): Promise<{ wish: PasskeyWish; sealed: Secret }> => {
      const place = placeOf(origin);
      const { name, second_steps } = await rowOf(id);
      const { challenge, sealed } = challenges.issue({ purpose: "add", within, origin: place.origin });
      const { passkeys } = readSteps(second_steps);
      return { wish: wishOf(challenge, place.host, { name, handle: userHandle(vault, id), passkeys }), sealed };
    },
    addPasskey: async (whose: Whose, made: MadePasskey, sealed: Secret | undefined) => {
      const { id, within, origin } = whose;
      const place = placeOf(origin);
      const challenge = challenges.use(sealed, { purpose: "add", within, origin: place.origin });
      const passkey = await verifyMade(made, challenge, place, clock.now()).catch((problem: unknown) => {
        farm.log.info({ err: problem, person: id }, "a new passkey is refused");
        throw new AppError("VALIDATION_FAILED", signInRefusals.unfitPasskey);
      });
      return add(whose, (steps) => withPasskey(steps, passkey));
    },
    removePasskey: (whose: Whose, passkeyId: string) => remove(whose, (steps) => withoutPasskey(steps, passkeyId)),
  };
};

/** Whoever has no password here is asked by their provider. */
const requireOwn = (row: PersonRow | undefined): PersonRow => {
  if (!row) throw new AppError("CONFLICT", "Passkeys and codes are for people who sign in to the pages");
  if (row.issuer === null) return row;
  throw new AppError("CONFLICT", signInRefusals.providerAsks);
};
