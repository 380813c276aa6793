import { AppError } from "../../shared/basics/errors.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { FarmClock } from "../farm-clock.ts";
import type { LinkRow, NewLink, VouchedSessions } from "../store/people.ts";
import type { Store } from "../store/store.ts";

/** Accounts at identity providers by which people come in as well, and sessions that providers end. */
export const createLinks = ({ people }: Pick<Store, "people">, clock: FarmClock) => ({
  /** Of a person; null: of all. */
  links: (personId: number | null): Promise<LinkRow[]> => people.links(personId),
  /** Links an account to whoever has this session, if it lasts. An account is linked to one person at most. */
  link: async (
    { id, hash }: { readonly id: number; readonly hash: string },
    account: Pick<NewLink, "issuer" | "subject" | "name">,
  ): Promise<LinkRow> => {
    const link = { ...account, person_id: id, created: clock.now() };
    const made = await people.link(link, { hash, now: clock.steady() });
    if (made === "no session") throw new AppError("NOT_AUTHENTICATED", signInRefusals.linkEnded);
    if (made === "taken") throw new AppError("CONFLICT", signInRefusals.linkTaken);
    if (made === "has one") throw new AppError("CONFLICT", signInRefusals.linkHasOne);
    return made;
  },
  /** Ends a link and the sessions that were begun by it. `keepsOne`: not if it is the person's only one. */
  unlink: async (personId: number, issuer: string, how: { readonly keepsOne: boolean }): Promise<LinkRow> => {
    const ended = await people.unlink(personId, issuer, how);
    if (ended === "nothing") throw new AppError("NOT_FOUND", signInRefusals.noLink);
    if (ended === "last way") throw new AppError("CONFLICT", signInRefusals.lastWay);
    return ended;
  },
  /** Ends sessions that were begun by a provider. Gives how many. */
  endVouched: (issuer: string, which: VouchedSessions): Promise<number> => people.endVouched(issuer, which),
});
