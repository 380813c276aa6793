import { type Key, keyFor, secretsIn } from "../../shared/credentials/credentials.ts";
import { hiding } from "../../shared/credentials/redact.ts";
import { howToMount } from "../../shared/files/mounts.ts";
import { capabilityError, definitionError, type TaskError } from "../../shared/model/failure.ts";
import type { Keys } from "./storage.ts";

/** The credentials that came with an attempt, looked up by storage. */
export const createKeys = (secrets: readonly Key[]): Keys => {
  const all = secrets.map(({ credential }) => credential);
  return {
    all,
    of: (uri, kind) => {
      const found = keyFor(uri, secrets);
      if (!found || isOf(found, kind)) return found;
      throw definitionError(`${uri} is opened by ${kind}, and its credentials are for ${found.kind}`);
    },
    hide: hiding(all.flatMap(secretsIn).map((secret) => secret.reveal())),
  };
};

const isOf = <K extends string, T extends { readonly kind: string }>(
  credential: T,
  kind: K,
): credential is Extract<T, { kind: K }> => credential.kind === kind;

/** An address without credentials that is not a folder of this node. */
export const noCredentials = (uri: string): TaskError =>
  capabilityError(
    `${uri}: no credentials came for it and no mount of this node covers it; name them as access, or ${howToMount(uri)}`,
  );
