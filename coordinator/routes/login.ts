import { AppError } from "../../shared/basics/errors.ts";
import type { Handlers } from "../http/server.ts";
import type { SignInThrottle } from "../http/sign-in-throttle.ts";
import { isoTime } from "../iso-time.ts";
import type { Tokens } from "../people/api-tokens.ts";
import { addressLine } from "../people/people.ts";

export const loginHandlers = (tokens: Tokens, throttle: SignInThrottle) =>
  ({
    login: async ({ auth_key, auth_secret }, { ip }) => {
      const keys = [addressLine(ip), `user ${auth_key}`];
      try {
        const { token, expires } = await tokens.login(auth_key, auth_secret);
        throttle.forgive(keys);
        return { token: token.reveal(), expiration_time: isoTime(expires) };
      } catch (problem) {
        if (problem instanceof AppError && problem.code === "NOT_AUTHENTICATED") await throttle.punish(keys);
        throw problem;
      }
    },
  }) satisfies Partial<Handlers>;
