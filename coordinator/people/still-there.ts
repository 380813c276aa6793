import type { Scope } from "../../shared/people/scopes.ts";
import { type Reach, reachOf } from "../../shared/rights/reach.ts";
import type { Store } from "../store/store.ts";

/**
 * Whose objects somebody reaches by now who was let in before: keys and links that they were given open no more than that.
 * Undefined for an API user who was revoked, has expired or lacks the scope, and for a person who was removed. The machine has no account.
 */
export const reachOfLater = async (
  { accounts, people }: Pick<Store, "accounts" | "people">,
  who: string,
  { scope, now }: { readonly scope: Scope; readonly now: number },
): Promise<Reach | undefined> => {
  const [, kind, text] = /^(api user|person) (\d{1,15})$/.exec(who) ?? [];
  const id = Number(text);
  if (kind === undefined) return "all";
  if (kind === "person") return (await people.readAll()).some((person) => person.id === id) ? "all" : undefined;
  const user = await accounts.user(id);
  if (!user || (user.expires !== null && user.expires <= now)) return undefined;
  const power = await accounts.power(id);
  return power?.scopes.includes(scope) ? reachOf(who, power) : undefined;
};
