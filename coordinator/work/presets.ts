import { type Preset, preset } from "../../shared/preset.ts";
import type { Farm } from "./farm.ts";
import { openText } from "./sealed.ts";

/** A preset as stored now. */
export const presetOf = async (farm: Farm, key: string): Promise<Preset | undefined> => {
  const text = await farm.store.presets.read(key);
  return text === undefined ? undefined : preset.parse(JSON.parse(openText(farm.vault, text)));
};
