import { X509Certificate } from "node:crypto";
import tls from "node:tls";
import { AppError } from "../../shared/basics/errors.ts";

/** Lets this program's requests accept servers of a farm's own TLS authority, beside those that it accepts anyway. */
export const trustAuthority = (url: string, authority: string | undefined): void => {
  if (authority === undefined || !url.startsWith("https:")) return;
  try {
    new X509Certificate(authority); // Node would ignore what is none
    tls.setDefaultCACertificates([...tls.getCACertificates("default"), authority]);
  } catch (cause) {
    throw new AppError("VALIDATION_FAILED", "The TLS authority (MEDIAFARM_CA) is not a certificate in PEM format", {
      cause,
    });
  }
};
