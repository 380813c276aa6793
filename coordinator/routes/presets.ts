import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/job.ts";
import { presetHead } from "../../shared/preset.ts";
import { invalid } from "../../shared/validation.ts";
import type { Handlers } from "../http/server.ts";
import type { Farm } from "../work/farm.ts";
import { presetOf } from "../work/presets.ts";
import { openText, sealText } from "../work/sealed.ts";

const mostPresets = 10_000;

export const presetHandlers = (farm: Farm) => {
  const { presets } = farm.store;
  return {
    listPresets: async () => ({
      items: (await presets.readAll()).map((text) => presetHead.parse(JSON.parse(openText(farm.vault, text)))),
    }),
    getPreset: async ({ key }) => (await presetOf(farm, key)) ?? missing(key),
    putPreset: async ({ key, payload }, { received }) => {
      refuseLong("payload", payload, limits.payloadCharacters);
      refuseLong("the preset", received, 2 * limits.payloadCharacters);
      const text = sealText(farm.vault, JSON.stringify(received));
      if (!(await presets.put(key, text, farm.clock.now(), mostPresets)))
        throw new AppError("CONFLICT", `There are ${mostPresets} presets already: delete one first`);
      return { success: "true", message: `Preset "${key}" is stored` };
    },
    deletePreset: async ({ key }) => {
      if (!(await presets.remove(key))) missing(key);
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
