import type { Choice } from "./choice.ts";

/** A seed that once failed, in its shortest form, and what was wrong. All of them run in every `npm test`. */
export type Regression = Choice & { readonly was: string };

export const regressions: readonly Regression[] = [];
