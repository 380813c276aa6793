import { z } from "zod";
import { agentPath } from "../../shared/api/api.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { Secret } from "../../shared/basics/secret.ts";
import { decodeJoinToken, encodeJoinToken } from "../../shared/credentials/join-token.ts";
import type { NewJoinToken } from "../../shared/credentials/join-tokens.ts";
import type { CoordinatorConfig } from "../config.ts";
import type { Ground } from "../ground.ts";
import { hashSecret, isEqualText, isSameSecret, newId, newSecret, type Vault } from "../secrets/vault.ts";
import type { Store } from "../store/store.ts";

const [idKey, secretKey] = ["farm_id", "join_secret"];
/** The id of the farm's own token, which has no limits and is shown again. */
const farmsOwn = "farm";
const mostTokens = 1000;

/** A token with limits, as it is stored. Its secret is shown once. */
const stored = z.object({
  name: z.string(),
  hash: z.string(),
  /** Null: any number. */
  uses: z.number().nullable(),
  used: z.number(),
  /** Milliseconds of the farm's people's time; null: never. */
  expires: z.number().nullable(),
  approval: z.boolean(),
  created: z.number(),
  by: z.string(),
  ended: z.number().nullable(),
});
type StoredJoinToken = z.output<typeof stored>;

/** How a token lets a node in; a text says why it does not. */
export type JoinPass = { readonly by: string; readonly isPending: boolean };

/** The join tokens for new nodes. Nodes that have joined have their own keys and need none. */
export type JoinTokens = Awaited<ReturnType<typeof openJoinTokens>>;

type Needs = Pick<Ground, "clock" | "log"> & {
  readonly store: Store;
  readonly vault: Vault;
  readonly config: Pick<CoordinatorConfig, "coordinators">;
};

/**
 * The farm's id and its own token's secret are created once. `origin`: the `host:port` at which agents reach the
 * coordinator; `tlsPins`: how they know its TLS authority, absent without TLS.
 */
export const openJoinTokens = async (
  { store: { records }, vault, log, clock, config }: Needs,
  origin: () => string,
  tlsPins?: () => readonly string[],
) => {
  const ensure = async (key: string, value: () => string): Promise<string> =>
    (await records.get("farm", key)) ?? (await records.change("farm", key, (kept) => kept ?? value())).after ?? "";
  const farmId = await ensure(idKey, newId);
  const secret = async () => new Secret(vault.open(await ensure(secretKey, () => vault.seal(newSecret().reveal()))));
  await secret();
  const scheme = tlsPins ? "wss" : "ws";
  const encode = (own: string): Secret => {
    const others = config.coordinators.map((each) => new URL(each).host).filter((host) => host !== origin());
    const [url = "", ...more] = [origin(), ...others].map((host) => `${scheme}://${host}${agentPath}`);
    return new Secret(encodeJoinToken({ url, farmId, secret: own, pins: tlsPins?.() ?? [], others: more }));
  };
  const current = async (): Promise<Secret> => encode((await secret()).reveal());
  const all = async () =>
    (await records.all("join_token")).map(({ key, value }) => {
      const token = read(value);
      return { id: key, ...token, end: endOf(token, clock.now()) ?? null };
    });

  const use = async (given: Secret): Promise<JoinPass | string> => {
    const { id, own } = partsOf(given);
    if (id === undefined) return isSameSecret(own, await secret()) ? { by: farmsOwn, isPending: false } : wrongToken;
    // Strangers send wrong ones as fast as they like: these write nothing.
    const seen = await records.get("join_token", id);
    let answer = seen === undefined ? wrongToken : passOf(id, read(seen), own, clock.now());
    if (typeof answer === "string") return answer;
    await records.change("join_token", id, (kept) => {
      const token = kept === undefined ? undefined : read(kept);
      answer = token ? passOf(id, token, own, clock.now()) : wrongToken;
      return token && typeof answer !== "string" ? JSON.stringify({ ...token, used: token.used + 1 }) : kept;
    });
    return answer;
  };

  return {
    current,
    /** Lets one node in, and counts that; else says why not. */
    use,
    /** Creates a new token of the farm's own; the old one stops working at once. `who` is logged. */
    renew: async (who: string): Promise<Secret> => {
      await records.change("farm", secretKey, () => vault.seal(newSecret().reveal()));
      log.warn({ who }, "the join token was replaced: the old one no longer works");
      return current();
    },
    all,
    /** Makes a token with limits; its text is never shown again. */
    create: async ({ name, uses, hours, approval }: NewJoinToken, who: string) => {
      const [id, own, now] = [newId(), newSecret(), clock.now()];
      const expires = hours === null ? null : now + hours * 3_600_000;
      const hash = hashSecret(own);
      const token: StoredJoinToken = {
        name,
        hash,
        uses,
        used: 0,
        expires,
        approval,
        created: now,
        by: who,
        ended: null,
      };
      await records.change("join_token", id, (_, others) => {
        if (others.all >= mostTokens)
          throw new AppError("CONFLICT", `There are ${mostTokens} join tokens, which is the limit: delete some`);
        return JSON.stringify(token);
      });
      log.warn({ who, token: id, name }, "a join token was made");
      return { id, ...token, text: encode(`${id}.${own.reveal()}`) };
    },
    /** It lets nobody in any more; what came in by it stays. Throws if there is none. */
    end: async (id: string, who: string): Promise<void> => {
      const { before } = await records.change("join_token", id, (kept) =>
        kept === undefined ? undefined : JSON.stringify({ ...read(kept), ended: read(kept).ended ?? clock.now() }),
      );
      if (before === undefined) throw new AppError("NOT_FOUND", `There is no join token ${id.slice(0, 40)}`);
      log.warn({ who, token: id }, "a join token was ended");
    },
  };
};

const read = (text: string): StoredJoinToken => stored.parse(JSON.parse(text));

/** Why a token lets nobody in any more; undefined if it does. */
const endOf = (
  { ended, expires, uses, used }: StoredJoinToken,
  now: number,
): "ended" | "expired" | "used up" | undefined => {
  if (ended !== null) return "ended";
  if (expires !== null && expires <= now) return "expired";
  return uses !== null && used >= uses ? "used up" : undefined;
};

const passOf = (id: string, token: StoredJoinToken, own: Secret, now: number): JoinPass | string => {
  if (!isEqualText(token.hash, hashSecret(own))) return wrongToken;
  const end = endOf(token, now);
  if (end === undefined) return { by: id, isPending: token.approval };
  return `The join token "${token.name}" is ${end}: ask an owner of the farm for another`;
};

const wrongToken = "The join token is not this farm's, or was replaced since: copy the one that the farm shows now";

/** Tokens with limits have their id in front of their secret. */
const partsOf = (token: Secret): { readonly id?: string; readonly own: Secret } => {
  try {
    const { secret } = decodeJoinToken(token.reveal());
    const dot = secret.indexOf(".");
    return dot < 0 ? { own: new Secret(secret) } : { id: secret.slice(0, dot), own: new Secret(secret.slice(dot + 1)) };
  } catch {
    return { own: new Secret("") }; // a missing join token is a wrong one
  }
};
