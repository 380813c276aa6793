import type { Accounts } from "../accounts.ts";
import type { Visit } from "../http/session-guard.ts";
import type { Throttle } from "../http/throttle.ts";
import type { UiHandlers } from "../http/ui.ts";
import type { People } from "../people.ts";
import { isoOrNull, isoTime } from "../work/info.ts";
import { sessionOf, wrongPassword } from "./people.ts";

type Given = { readonly ip: string; readonly allowed: Visit };

/** Owners' routes for the account: its OAPI pair, which needs the password again, and its API users. */
export const accountHandlers = (accounts: Accounts, people: People, throttle: Throttle) => {
  const requirePassword = (password: string | undefined, { ip, allowed }: Given): Promise<void> =>
    throttle.fewAtOnce(`${ip} session ${sessionOf(allowed).id}`, async () => {
      const session = sessionOf(allowed);
      if (session.isMachine) return;
      const keys = [`address ${ip}`, `person ${session.name.toLowerCase()}`];
      if (password !== undefined && (await people.isPassword(session, password))) return throttle.forgive(keys);
      await throttle.punish(keys);
      throw wrongPassword();
    });

  return {
    getAccount: async () => {
      const { oapi_key, created, renewed } = await accounts.account();
      return { oapi_key, created: isoTime(created), renewed: isoOrNull(renewed) };
    },
    showOapiPair: async ({ password }, given) => {
      await requirePassword(password, given);
      return accounts.oapiPair();
    },
    renewOapiPair: async ({ password }, given) => {
      await requirePassword(password, given);
      return accounts.renewOapi();
    },
    listApiUsers: async () => ({
      items: (await accounts.users()).map(({ auth_key, name, created, last_login, liveTokens, may_mount }) => ({
        auth_key,
        name,
        created: isoTime(created),
        last_login: isoOrNull(last_login),
        live_tokens: liveTokens,
        may_mount: may_mount === 1,
      })),
    }),
    createApiUser: ({ name, may_mount }) => accounts.createUser(name, may_mount),
    revokeApiUser: async ({ auth_key }) => {
      await accounts.revokeUser(auth_key);
      return {};
    },
  } satisfies Partial<UiHandlers>;
};
