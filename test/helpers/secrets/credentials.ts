import { toRevealedJson } from "../../../shared/basics/secret.ts";
import { type Credential, credential, type WrittenCredential } from "../../../shared/credentials/credentials.ts";

/** A credential as it comes through a door. */
export const readCredential = (written: WrittenCredential): Credential => credential.parse(written);

/** A value with the texts of its secrets. */
export const revealed = (value: unknown): unknown => JSON.parse(toRevealedJson(value));
