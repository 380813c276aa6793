import { AppError } from "../../shared/errors.ts";
import type { Handlers } from "../http/server.ts";
import type { Throttle } from "../http/throttle.ts";
import type { Tokens } from "../tokens.ts";
import { isoTime } from "../work/info.ts";

export const loginHandlers = (tokens: Tokens, throttle: Throttle) =>
  ({
    login: async ({ auth_key, auth_secret }, { ip }) => {
      const keys = [`address ${ip}`, `user ${auth_key}`];
      try {
        const { token, expires } = await tokens.login(auth_key, auth_secret);
        throttle.forgive(keys);
        return { token, expiration_time: isoTime(expires) };
      } catch (problem) {
        if (problem instanceof AppError) await throttle.punish(keys);
        throw problem;
      }
    },
  }) satisfies Partial<Handlers>;
