import { AppError } from "../../shared/basics/errors.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { limits } from "../../shared/model/job.ts";
import { presetHead } from "../../shared/model/preset.ts";
import type { Handlers } from "../http/server.ts";
import { parsePreset, readPreset } from "../jobs/presets.ts";
import { openText, sealText } from "../secrets/sealing.ts";
import type { Secrets } from "../secrets/secrets.ts";

const mostPresets = 10_000;

export const presetHandlers = (farm: Pick<Secrets, "clock" | "store" | "vault">) => {
  const { records } = farm.store;
  return {
    listPresets: async () => ({
      items: (await records.all("preset")).map(({ value }) =>
        presetHead.parse(JSON.parse(openText(farm.vault, value))),
      ),
    }),
    getPreset: async ({ key }) => (await readPreset(farm, key)) ?? missing(key),
    putPreset: async (_args, { received }) => {
      const { key, payload } = parsePreset(received);
      refuseLong("payload", payload, limits.payloadCharacters);
      refuseLong("the preset", received, 2 * limits.payloadCharacters);
      const text = sealText(farm.vault, JSON.stringify(received));
      await records.change("preset", key, (_, others) => {
        if (others < mostPresets) return text;
        throw new AppError("CONFLICT", `There are ${mostPresets} presets already: delete one first`);
      });
      return { success: "true", message: `Preset "${key}" is stored` };
    },
    deletePreset: async ({ key }) => {
      await records.change("preset", key, (stored) => (stored === undefined ? missing(key) : undefined));
      return { success: "true", message: `Preset "${key}" is deleted` };
    },
  } satisfies Partial<Handlers>;
};

const missing = (key: string): never => {
  throw new AppError("NOT_FOUND", `There is no preset "${key}"`);
};

const refuseLong = (path: string, value: object, limit: number): void => {
  const { length } = JSON.stringify(value);
  if (length > limit) throw invalid([{ path, message: `has ${length} characters, and ${limit} are the limit` }]);
};
