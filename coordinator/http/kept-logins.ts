import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import type { Tokens } from "../people/api-tokens.ts";
import { hashSecret } from "../secrets/vault.ts";

/** Programs that log in by their headers; beyond that, who logged in first logs in again. */
const mostKept = 1000;

/**
 * For clients that send fixed headers and cannot log in: the token of a key and its secret, made once and used until it has
 * expired or its user is revoked.
 */
export const createKeptLogins = (tokens: Tokens) => {
  const kept = new Map<string, Secret>();
  const logIn = async (name: string, key: string, secret: Secret) => {
    const { token } = await tokens.login(key, secret);
    kept.delete(name);
    kept.set(name, token);
    const [first] = kept.keys();
    if (kept.size > mostKept && first !== undefined) kept.delete(first);
    return tokens.use(token);
  };
  return {
    /** As `use` of tokens. Throws NOT_AUTHENTICATED if the key or its secret is wrong. */
    use: async (key: string, secret: Secret): ReturnType<Tokens["use"]> => {
      const name = `${key} ${hashSecret(secret)}`;
      const token = kept.get(name);
      if (token === undefined) return logIn(name, key, secret);
      try {
        return await tokens.use(token);
      } catch (problem) {
        if (!(problem instanceof AppError) || problem.code !== "NOT_AUTHENTICATED") throw problem;
        kept.delete(name);
        return logIn(name, key, secret);
      }
    },
  };
};
