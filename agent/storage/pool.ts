import type { Clock } from "../../shared/basics/clock.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { readHostAddress } from "./host-address.ts";

/** Connections kept for a moment, because logging in takes longer than most requests. */
export type Pool<T> = {
  /**
   * Lends a connection for an address to one user at a time; a broken one is not lent again. The user gets the path on
   * the host, and the caller readable errors.
   */
  use<R>(uri: string, fn: (connection: T, path: string) => Promise<R>): Promise<R>;
  /** For users that return it later, such as streams. */
  take(uri: string): Promise<Lent<T>>;
};

export type Lent<T> = { readonly connection: T; readonly release: (isBroken: boolean) => void };

export type PoolNeeds<T> = {
  /** Addresses of one login share connections. */
  readonly loginOf: (uri: string) => string;
  readonly open: (uri: string) => Promise<T>;
  readonly close: (connection: T) => void;
  readonly isClosed: (connection: T) => boolean;
  /** What an error means for people. */
  readonly errorOf: (error: unknown, uri: string) => Error;
  readonly clock: Clock;
};

const idleMs = 1500;

export const createPool = <T>({ loginOf, open, close, isClosed, errorOf, clock }: PoolNeeds<T>): Pool<T> => {
  const idle = new Map<string, { readonly connection: T; readonly stop: () => void }[]>();

  const rest = (login: string, connection: T): void => {
    const here = getOrInsert(idle, login, () => []);
    const stop = clock.after(idleMs, () => {
      here.splice(
        here.findIndex((each) => each.connection === connection),
        1,
      );
      close(connection);
    });
    here.push({ connection, stop });
  };

  /** An idle connection of the login that is still open. */
  const takeIdle = (login: string): T | undefined => {
    for (let each = idle.get(login)?.pop(); each; each = idle.get(login)?.pop()) {
      each.stop();
      if (!isClosed(each.connection)) return each.connection;
    }
    return undefined;
  };

  const take = async (uri: string): Promise<Lent<T>> => {
    const login = loginOf(uri);
    const connection = takeIdle(login) ?? (await open(uri));
    let isOut = true;
    return {
      connection,
      release: (isBroken) => {
        if (!isOut) return;
        isOut = false;
        if (isBroken || isClosed(connection)) close(connection);
        else rest(login, connection);
      },
    };
  };

  return {
    take,
    use: async (uri, fn) => {
      let lent: Lent<T> | undefined;
      try {
        lent = await take(uri);
        const result = await fn(lent.connection, readHostAddress(uri).path);
        lent.release(false);
        return result;
      } catch (error) {
        lent?.release(true);
        throw errorOf(error, uri);
      }
    },
  };
};
