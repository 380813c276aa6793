import { z } from "zod";
import { elementKinds } from "../../media/elements/index.ts";
import { invalid, parse } from "../../shared/basics/validation.ts";
import { secretsSentElsewhere } from "../../shared/credentials/bound-secrets.ts";
import { type Preset, preset } from "../../shared/model/preset.ts";
import { maySeeSecrets, nobodys, type Owned, type Reach, reaches } from "../../shared/rights/reach.ts";
import { openText, sealText } from "../secrets/sealing.ts";
import type { Secrets } from "../secrets/secrets.ts";

const knownPreset = preset.extend({ kind: z.enum([...elementKinds]).default("transcode") });

/** A preset as a client sent it. Throws AppError VALIDATION_FAILED, also for an element kind that does not exist. */
export const parsePreset = (sent: unknown): Preset => parse(knownPreset, sent, "");

/** A preset and whose it is. It is stored so; one from before there were owners is stored alone, and is nobody's. */
type OwnedPreset = { readonly owned: Owned; readonly preset: object };

const ownedPreset = z.strictObject({
  owned: z.strictObject({ owner_id: z.string().nullable(), owner_group: z.string().nullable() }),
  preset: z.looseObject({}),
});

/** The text in which it is stored. What a client sends stands inside, so it cannot say whose it is. */
export const presetText = (vault: Secrets["vault"], { owned, preset }: OwnedPreset): string =>
  sealText(vault, JSON.stringify({ owned, preset }));

/** A preset by itself has a key at the top, and one with its owner has none. */
export const openPreset = (vault: Secrets["vault"], text: string): OwnedPreset => {
  const stored = JSON.parse(openText(vault, text));
  return "key" in stored ? { owned: nobodys, preset: stored } : ownedPreset.parse(stored);
};

export type StoredPreset = { readonly owned: Owned; readonly preset: Preset };

/**
 * Checks a job whose presets are applied. Whoever reaches a preset may use its secrets, where they were given for and
 * nowhere else; its owner knows them. Throws AppError VALIDATION_FAILED naming them.
 */
export const checkPresetSecrets = (
  { payload }: Record<string, unknown>,
  presetAt: (key: string) => StoredPreset | undefined,
  sender: Owned,
): void => {
  const found = usesOfPresets.safeParse(payload).data?.elements ?? [];
  const refused = found.flatMap(({ preset: named, payload: made }, index) => {
    const used = named && presetAt(named.key);
    if (!used || isKnownTo(sender, used.owned)) return [];
    return secretsSentElsewhere(used.preset.payload, made).map((place) => ({
      path: `payload.elements[${index}].payload.${place}`,
      message: `comes from preset "${named.key}" of somebody else, and is used at the address of the preset only: give your own for another one`,
    }));
  });
  if (refused.length > 0) throw invalid(refused);
};

const usesOfPresets = z.object({
  elements: z.array(
    z.object({ preset: z.object({ key: z.string() }).optional().catch(undefined), payload: z.unknown() }),
  ),
});

/** Programs that reach all go on with the presets from before there were owners. */
const isKnownTo = (sender: Owned, owned: Owned): boolean =>
  maySeeSecrets(sender, owned) || (owned.owner_id === null && !sender.owner_id?.startsWith("person "));

/** A preset as stored now; undefined for one that is not reached as well. */
export const readPreset = async (
  farm: Pick<Secrets, "store" | "vault">,
  key: string,
  reach: Reach,
): Promise<StoredPreset | undefined> => {
  const text = await farm.store.records.get("preset", key);
  const found = text === undefined ? undefined : openPreset(farm.vault, text);
  return found && reaches(reach, found.owned) ? { owned: found.owned, preset: preset.parse(found.preset) } : undefined;
};

/** The keys of the presets that are reached. */
export const presetKeys = async (farm: Pick<Secrets, "store" | "vault">, reach: Reach): Promise<string[]> =>
  (await farm.store.records.all("preset"))
    .filter(({ value }) => reaches(reach, openPreset(farm.vault, value).owned))
    .map(({ key }) => key);
