import type { AlertKind, AlertReason } from "../../../shared/outbound/alerts.ts";

/** What alerts say in one language. Names and numbers stand in braces. */
export type AlertTexts = {
  /** Of one thing by its name, of many by their number; and once it, or they, are over. */
  readonly kinds: Readonly<Record<AlertKind, { readonly [K in "one" | "many" | "over" | "allOver"]: string }>>;
  readonly reasons: Readonly<Record<AlertReason, string>>;
} & { readonly [K in "farm" | "coordinator" | "webhook" | "more" | "test" | "testOf" | "works"]: string };
