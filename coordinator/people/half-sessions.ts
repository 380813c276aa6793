import type { Clock } from "../../shared/basics/clock.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { hashSecret, newSecret } from "../secrets/vault.ts";
import type { PersonRow } from "../store/people.ts";

/** Whose password was right has so long for the second step. */
export const halfMs = 10 * 60_000;
/** Wrong codes until the password is needed again. */
const mostWrong = 5;
/** Each costs whoever begins it a right password, so few are needed. */
const [mostHalves, mostOfOne] = [1000, 10];

/** A right password that opens nothing alone. */
export type HalfSession = {
  /** As they were when the password was compared. */
  readonly person: PersonRow;
  /** prove: what they have · set up: there is nothing yet. */
  readonly step: "prove" | "set up";
  readonly hash: string;
};

type Kept = HalfSession & { readonly ends: number; wrong: number };

/** Who is between the password and the second step. In memory alone: after a restart, the password is entered again. */
export const createHalfSessions = (clock: Clock) => {
  const kept = new Map<string, Kept>();
  const read = (token: Secret | undefined): Kept | undefined => {
    const found = token && kept.get(hashSecret(token));
    return found && found.ends > clock.monotonic() ? found : undefined;
  };
  return {
    begin: (person: PersonRow, step: HalfSession["step"]): Secret => {
      const token = newSecret();
      const hash = hashSecret(token);
      const [oldest] = [...kept.values()].filter((each) => each.person.id === person.id).slice(0, 1 - mostOfOne);
      if (oldest) kept.delete(oldest.hash);
      for (const [each, { ends }] of kept) if (kept.size >= mostHalves || ends <= clock.monotonic()) kept.delete(each);
      kept.set(hash, { person, step, hash, ends: clock.monotonic() + halfMs, wrong: 0 });
      return token;
    },
    read: (token: Secret | undefined): HalfSession | undefined => read(token),
    /** Notes a wrong code; the last one that is allowed ends it. */
    noteWrong: (hash: string): void => {
      const found = kept.get(hash);
      if (!found) return;
      found.wrong += 1;
      if (found.wrong >= mostWrong) kept.delete(hash);
    },
    end: (hash: string): void => void kept.delete(hash),
  };
};
