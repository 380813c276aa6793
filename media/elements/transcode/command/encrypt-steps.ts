import type { Output, Step, Work } from "../../../../shared/work/work.ts";
import type { TargetRecipe } from "../recipe.ts";
import type { Numbered } from "./command.ts";

/** Encrypts a target where it lies, and moves its key to the place that players fetch it from. */
export const encryptSteps = ({ target: { encryption }, out }: Numbered): Step[] => {
  if (!encryption) return [];
  const { by, keyFile, keyAsset } = encryption;
  const id = `${out}_encrypt`;
  const keyMoves = keyFile ? [{ from: keyFile.name, to: keyIdOf(out) }] : [];
  if (by.do === "encrypt_segments") {
    const key = keyAsset === undefined ? {} : { key: { asset: keyIdOf(out) } };
    return [{ ...by, id, playlists: { out }, ...key }, ...placing(out, keyMoves)];
  }
  const [clear, made] = [`${out}_clear.mp4`, `${out}_encrypted.mp4`];
  const descriptor = `in=${clear},stream=${by.stream},output=${made},drm_label=${by.key.label}`;
  return [
    { do: "packager", id, inputs: { [clear]: { out } }, argv: [descriptor, ...by.args], keys: [by.key] },
    ...placing(out, [{ from: made, to: out }, ...keyMoves]),
  ];
};

const placing = (out: string, moves: { from: string; to: string }[]): Step[] =>
  moves.length > 0 ? [{ do: "place", id: `${out}_place`, moves, manifests: [] }] : [];

/** Keys that targets write, by the ids of their outputs. */
export const keyOutputs = (numbered: readonly Numbered[]): [id: string, output: Output][] =>
  numbered.flatMap(({ target: { encryption }, out }): [string, Output][] =>
    encryption?.keyFile ? [[keyIdOf(out), encryption.keyFile]] : [],
  );

/** Keys that exist already. */
export const keyAssets = (
  numbered: readonly { readonly target: TargetRecipe; readonly out: string }[],
): Work["assets"] =>
  Object.fromEntries(
    numbered.flatMap(({ target: { encryption }, out }) =>
      encryption?.keyAsset === undefined ? [] : [[keyIdOf(out), { uri: encryption.keyAsset }]],
    ),
  );

const keyIdOf = (out: string): string => `${out}_key`;
