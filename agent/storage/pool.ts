import type { Clock } from "../../shared/clock.ts";

/** Connections kept for a moment, because logging in takes longer than most requests. */
export type Pool<T> = {
  /** Lends a connection to one user at a time; a broken one is not lent again. */
  use<R>(name: string, fn: (connection: T) => Promise<R>): Promise<R>;
  /** For users that return it later, such as streams. */
  take(name: string): Promise<Lent<T>>;
};

export type Lent<T> = { readonly connection: T; readonly release: (isBroken: boolean) => void };

export type PoolNeeds<T> = {
  readonly open: (name: string) => Promise<T>;
  readonly close: (connection: T) => void;
  readonly isClosed: (connection: T) => boolean;
  readonly clock: Clock;
};

const idleMs = 1500;

export const createPool = <T>({ open, close, isClosed, clock }: PoolNeeds<T>): Pool<T> => {
  const idle = new Map<string, { readonly connection: T; readonly stop: () => void }[]>();

  const rest = (name: string, connection: T): void => {
    const here = idle.get(name) ?? [];
    idle.set(name, here);
    const stop = clock.after(idleMs, () => {
      here.splice(
        here.findIndex((each) => each.connection === connection),
        1,
      );
      close(connection);
    });
    here.push({ connection, stop });
  };

  const take = async (name: string): Promise<Lent<T>> => {
    let connection: T | undefined;
    for (let each = idle.get(name)?.pop(); each && connection === undefined; each = idle.get(name)?.pop()) {
      each.stop();
      if (!isClosed(each.connection)) {
        connection = each.connection;
        break;
      }
    }
    const lent = connection ?? (await open(name));
    let isOut = true;
    return {
      connection: lent,
      release: (isBroken) => {
        if (!isOut) return;
        isOut = false;
        if (isBroken || isClosed(lent)) close(lent);
        else rest(name, lent);
      },
    };
  };

  return {
    take,
    use: async (name, fn) => {
      const { connection, release } = await take(name);
      try {
        const result = await fn(connection);
        release(false);
        return result;
      } catch (error) {
        release(true);
        throw error;
      }
    },
  };
};
