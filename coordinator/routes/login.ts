import { AppError } from "../../shared/errors.ts";
import type { Accounts } from "../accounts.ts";
import type { Handlers } from "../http/server.ts";
import type { Throttle } from "../http/throttle.ts";
import { isoTime } from "../work/info.ts";

export const loginHandlers = (accounts: Accounts, throttle: Throttle): Pick<Handlers, "login"> => ({
  login: async ({ auth_key, auth_secret }, { ip }) => {
    const keys = [`address ${ip}`, `user ${auth_key}`];
    try {
      const { token, expires } = await accounts.login(auth_key, auth_secret);
      throttle.forgive(keys);
      return { token, expiration_time: isoTime(expires) };
    } catch (problem) {
      if (problem instanceof AppError) await throttle.punish(keys);
      throw problem;
    }
  },
});
