/** `from`: a job that is sent again; `as`: written as JSON instead of made from a recipe. */
export type SubmitSearch = { readonly from?: string; readonly as?: "json" };

export const submitSearch = ({ from, as }: Record<string, unknown>): SubmitSearch => ({
  from: from === undefined ? undefined : String(from),
  as: as === "json" ? as : undefined,
});
