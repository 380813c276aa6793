import type { Secret } from "../../shared/basics/secret.ts";

/** What may be shown of an address. */
export const originOf = (address: Secret): string => new URL(address.reveal()).origin;
