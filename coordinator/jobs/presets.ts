import { z } from "zod";
import { elementKinds } from "../../media/elements/index.ts";
import { parse } from "../../shared/basics/validation.ts";
import { type Preset, preset } from "../../shared/model/preset.ts";
import { openText } from "../secrets/sealing.ts";
import type { Secrets } from "../secrets/secrets.ts";

const knownPreset = preset.extend({ kind: z.enum([...elementKinds]).default("transcode") });

/** A preset as a client sent it. Throws AppError VALIDATION_FAILED, also for an element kind that does not exist. */
export const parsePreset = (sent: unknown): Preset => parse(knownPreset, sent, "");

/** A preset as stored now. */
export const readPreset = async (farm: Pick<Secrets, "store" | "vault">, key: string): Promise<Preset | undefined> => {
  const text = await farm.store.records.get("preset", key);
  return text === undefined ? undefined : preset.parse(JSON.parse(openText(farm.vault, text)));
};
