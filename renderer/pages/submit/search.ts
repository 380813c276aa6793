export const submitWays = ["template", "both", "json"] as const;
export type SubmitWay = (typeof submitWays)[number];

/** `from`: a job that is sent again; `as`: made from a job template, written as JSON, or both side by side. */
export type SubmitSearch = { readonly from?: string; readonly as?: SubmitWay };

export const submitSearch = ({ from, as }: Record<string, unknown>): SubmitSearch => ({
  from: from === undefined ? undefined : String(from),
  as: submitWays.find((each) => each === as),
});
