import { AppError } from "../../shared/basics/errors.ts";
import type { Ask } from "../../shared/outbound/ask.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import { readNetworkRules } from "../nodes/network-rules.ts";
import { fetchThrough } from "./ask-provider.ts";
import type { IdentityNeeds } from "./needs.ts";
import type { Reach } from "./provider.ts";
import type { Provider } from "./settings.ts";

/** Questions to providers that are under way; a person waits for each. */
const mostAsked = 20;

/** Most farms have no provider: the library is loaded for the first. */
export const library = () => import("./provider.ts");

export type ReachOf = (provider: Pick<Provider, "issuer">) => Promise<Reach>;

/** How a provider is asked: through the guard, and only some questions at a time. */
export const createReach = ({ farm, ask }: Pick<IdentityNeeds, "farm" | "ask">): ReachOf => {
  let asked = 0;
  const limited: Ask = async (question) => {
    if (!ask) throw new AppError("CONFLICT", "This coordinator asks nobody outside");
    if (asked >= mostAsked) throw new AppError("TOO_MANY_ATTEMPTS", signInRefusals.manySignIn);
    asked += 1;
    try {
      return await ask(question);
    } finally {
      asked -= 1;
    }
  };
  return async ({ issuer }) => ({
    fetch: fetchThrough(limited, issuer, await readNetworkRules(farm)),
    clock: farm.clock,
  });
};
