import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import { powerOf } from "../../shared/people/scopes.ts";
import type { JoinTokens } from "../connections/join-tokens.ts";
import type { Visit } from "../http/session-guard.ts";
import type { SignInThrottle } from "../http/sign-in-throttle.ts";
import type { UiHandlers } from "../http/ui.ts";
import type { Identity } from "../identity/identity.ts";
import { isoOrNull, isoTime } from "../iso-time.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { Accounts, OapiPair } from "../people/accounts.ts";
import { addressLine, type People, type Session } from "../people/people.ts";
import { personKey } from "../store/people.ts";
import { listJoinTokens } from "../views/join-tokens.ts";
import { sessionOf, wrongPassword } from "./people.ts";

type Parts = {
  readonly farm: Pick<Nodes, "registry" | "clock">;
  readonly accounts: Accounts;
  readonly people: People;
  readonly identity: Pick<Identity, "hasOwnPassword">;
  readonly join: JoinTokens;
};
type Given = { readonly ip: string; readonly allowed: Visit };

/** Owners' routes for the account: its OAPI pair, which needs the password again, its API users, and the join token. */
export const accountHandlers = ({ farm, accounts, people, identity, join }: Parts, throttle: SignInThrottle) => {
  const requirePassword = createPasswordAgain({ farm, people, identity }, throttle);

  return {
    getAccount: async () => {
      const { oapi_key, created, renewed } = await accounts.account();
      return { oapi_key, created: isoTime(created), renewed: isoOrNull(renewed) };
    },
    showOapiPair: async ({ password }, given) => {
      await requirePassword(password, given);
      return shown(await accounts.oapiPair());
    },
    renewOapiPair: async ({ password }, given) => {
      await requirePassword(password, given);
      return shown(await accounts.renewOapi());
    },
    listApiUsers: async () => ({
      items: (await accounts.users()).map(
        ({ auth_key, name, created, last_login, last_used, expires, live_tokens, scopes, reach, group }) => ({
          auth_key,
          name,
          created: isoTime(created),
          ...{ last_login: isoOrNull(last_login), last_used: isoOrNull(last_used), expires: isoOrNull(expires) },
          live_tokens,
          scopes: [...scopes],
          reach,
          group,
          may_mount: scopes.includes("mounts"),
        }),
      ),
    }),
    createApiUser: async ({ name, days, ...power }) => {
      const expires = days === null ? null : Math.ceil(farm.clock.now() + days * dayMs);
      const { auth_key, auth_secret } = await accounts.createUser(name, powerOf(power), expires);
      return { auth_key, auth_secret: auth_secret.reveal() };
    },
    revokeApiUser: async ({ auth_key }) => {
      await accounts.revokeUser(auth_key);
      return {};
    },
    showJoinToken: async () => ({ join_token: (await join.current()).reveal() }),
    renewJoinToken: async (_, { allowed }) => ({ join_token: (await join.renew(sessionOf(allowed).name)).reveal() }),
    listJoinTokens: async () => ({ items: listJoinTokens(farm, await join.all()) }),
    createJoinToken: async (wanted, { allowed }) => {
      const { id, text } = await join.create(wanted, sessionOf(allowed).name);
      return { id, join_token: text.reveal() };
    },
    endJoinToken: async ({ token_id }, { allowed }) => {
      await join.end(token_id, sessionOf(allowed).name);
      return {};
    },
  } satisfies Partial<UiHandlers>;
};

const dayMs = 86_400_000;

/** Refuses who does not enter their password once more. */
export const createPasswordAgain =
  (
    { farm: { clock }, people, identity }: Pick<Parts, "people" | "identity"> & { readonly farm: Pick<Nodes, "clock"> },
    throttle: SignInThrottle,
  ) =>
  (password: Secret | undefined, { ip, allowed }: Given): Promise<void> =>
    throttle.fewAtOnce(`${ip} session ${sessionOf(allowed).id}`, async () => {
      const session = sessionOf(allowed);
      if (session.isMachine) return;
      if (!(await identity.hasOwnPassword(session))) return requireFresh(session, clock.steady());
      // What is missing is no guess.
      if (password === undefined) throw wrongPassword();
      const keys = [addressLine(ip), `person ${personKey(session.name)}`];
      if (await people.isPassword(session, password)) return throttle.forgive(keys);
      await throttle.punish(keys);
      throw wrongPassword();
    });

/** Whoever has no password that opens anything here came from their provider just now. */
const freshMs = 15 * 60_000;

const requireFresh = ({ since }: Session, now: number): void => {
  if (now - since <= freshMs) return;
  throw new AppError("NOT_ALLOWED", signInRefusals.needsFresh);
};

const shown = ({ oapi_key, oapi_secret }: OapiPair) => ({ oapi_key, oapi_secret: oapi_secret.reveal() });
