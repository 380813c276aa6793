import type { NewCodes } from "./second-steps.ts";

/** The same as one address, for the camera of an app. It is made where it is shown: addresses in answers lose their secrets. */
export const codesAddress = ({ secret, issuer, account }: NewCodes): string =>
  `otpauth://totp/${[issuer, account].map(encodeURIComponent).join(":")}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
