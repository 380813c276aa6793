import { AppError } from "../../shared/basics/errors.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { withStoredSecrets } from "../../shared/credentials/bound-secrets.ts";
import { hidden, redact } from "../../shared/credentials/redact.ts";
import { limits } from "../../shared/model/job.ts";
import { presetHead } from "../../shared/model/preset.ts";
import { maySeeSecrets, reaches } from "../../shared/rights/reach.ts";
import type { Handlers } from "../http/server.ts";
import { openPreset, parsePreset, presetText, readPreset } from "../jobs/presets.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Others } from "../store/records.ts";

const mostPresets = 10_000;
/** Of one program or person, so that nobody takes up the room of all. */
const mostOwn = 2000;
/** Bytes of all presets as they are stored, and of those of one program or person: a list reads them all. */
const mostBytes = 64 * 1024 * 1024;
const mostOwnBytes = 8 * 1024 * 1024;

export const presetHandlers = (farm: Pick<Secrets, "clock" | "store" | "vault">) => {
  const { records } = farm.store;
  return {
    listPresets: async (_args, { reach }) => ({
      items: (await records.all("preset"))
        .map(({ value }) => openPreset(farm.vault, value))
        .filter(({ owned }) => reaches(reach, owned))
        .map(({ preset }) => presetHead.parse(preset)),
    }),
    getPreset: async ({ key }, { reach, sender }) => {
      const { owned, preset } = (await readPreset(farm, key, reach)) ?? missing(key);
      return maySeeSecrets(sender, owned) ? preset : redact(preset);
    },
    putPreset: async (_args, { received, reach, sender }) => {
      const { key, payload } = parsePreset(received);
      refuseLong("payload", payload, limits.payloadCharacters);
      refuseLong("the preset", received, 2 * limits.payloadCharacters);
      const { owner_id, owner_group } = sender;
      const decide = (stored: string | undefined, others: Others): string => {
        const before = stored === undefined ? undefined : openPreset(farm.vault, stored).owned;
        if (before && !reaches(reach, before)) throw taken(key);
        // Whoever replaces a preset does not take it away from its owner.
        const owned = before ?? { owner_id, owner_group };
        const kept = withStoredSecrets(stored === undefined ? {} : openPreset(farm.vault, stored).preset, received);
        if (kept.refused.length > 0) throw invalid(kept.refused.map(hiddenAt));
        if (stored === undefined) requireRoom(others);
        const text = presetText(farm.vault, { owned, preset: kept.made as object }); // as received
        refuseMuch(text, stored, others);
        return text;
      };
      await records.change("preset", key, decide, owner_id);
      return { success: "true", message: `Preset "${key}" is stored` };
    },
    deletePreset: async ({ key }, { reach }) => {
      await records.change("preset", key, (stored) => {
        if (stored === undefined || !reaches(reach, openPreset(farm.vault, stored).owned)) return missing(key);
        return undefined;
      });
      return { success: "true", message: `Preset "${key}" is deleted` };
    },
  } satisfies Partial<Handlers>;
};

const missing = (key: string): never => {
  throw new AppError("NOT_FOUND", `There is no preset "${key}"`);
};

/** Keys of presets are one namespace, so that a key means one preset in every job. */
const taken = (key: string): AppError =>
  new AppError("CONFLICT", `The key "${key}" is taken by a preset that this API user does not reach: choose another`);

const requireRoom = ({ all, own }: Others): void => {
  if (own >= mostOwn) throw new AppError("CONFLICT", `You made ${own} presets, which is the limit: delete one first`);
  if (all >= mostPresets) throw new AppError("CONFLICT", `There are ${mostPresets} presets already: delete one first`);
};

/** A smaller one may always take the place of one. */
const refuseMuch = (text: string, stored: string | undefined, { allBytes, ownBytes }: Others): void => {
  const bytes = Buffer.byteLength(text);
  if (stored !== undefined && bytes <= Buffer.byteLength(stored)) return;
  if (ownBytes + bytes > mostOwnBytes)
    throw new AppError(
      "CONFLICT",
      `Your presets have ${ownBytes} bytes, and ${mostOwnBytes} are the limit: delete some`,
    );
  if (allBytes + bytes > mostBytes)
    throw new AppError("CONFLICT", `All presets have ${allBytes} bytes, and ${mostBytes} are the limit: delete some`);
};

const hiddenAt = (path: string) => ({
  path,
  message: `is "${hidden}", and no secret is stored for this place and address: give the secret itself`,
});

const refuseLong = (path: string, value: object, limit: number): void => {
  const { length } = JSON.stringify(value);
  if (length > limit) throw invalid([{ path, message: `has ${length} characters, and ${limit} are the limit` }]);
};
