import { signInRefusals } from "../../shared/people/refusals.ts";
/** Where passkeys belong to: a name, and the page's exact origin. Or why there are none. */
export type PasskeyPlace =
  | { readonly refused: null; readonly host: string; readonly origin: string }
  | { readonly refused: string };

/** Pure. `origin` is one by which this farm goes; browsers have further conditions, which are told in words here. */
export const passkeyPlace = (origin: string): PasskeyPlace => {
  if (!URL.canParse(origin)) return { refused: signInRefusals.passkeysInBrowser };
  const { protocol, hostname } = new URL(origin);
  if (isAddress(hostname))
    return { refused: `Passkeys belong to a name: open the farm by one, not by the address ${hostname}` };
  if (protocol !== "https:" && hostname !== "localhost") return { refused: signInRefusals.passkeysByHttps };
  return { refused: null, host: hostname, origin };
};

const isAddress = (host: string): boolean => host.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
