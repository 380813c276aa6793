import { z } from "zod";

/** The SHA-256 of a public key (SPKI) in base64url: agents know their farm's authority by it. */
export const pin = z.string().regex(/^[\w-]{43}$/);

/** The farm's authority, and the one that will follow it. */
export const pins = z.array(pin).max(4);
