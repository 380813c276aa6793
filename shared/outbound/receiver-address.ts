import { z } from "zod";
import { secretOf } from "../basics/secret.ts";

/** Where a receiver is. It may hold a key, so a refusal does not repeat it. */
export const receiverAddress = secretOf(
  z.string().max(2000).refine(isWebAddress, { message: "it must be an address that begins with http:// or https://" }),
);

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
