/** A warning as it is said first, and how many more say the same of other places. */
export type AlikeWarnings = { readonly warning: string; readonly others: number };

/** Equal warnings once each: thirty deliveries that are made alike would otherwise fill the page. */
export const alikeWarnings = (warnings: readonly string[]): readonly AlikeWarnings[] => {
  const groups = new Map<string, { readonly warning: string; others: number }>();
  for (const warning of warnings) {
    const text = warning.replace(/^\S+: /, ""); // its place in the job
    const group = groups.get(text);
    if (group) group.others += 1;
    else groups.set(text, { warning, others: 0 });
  }
  return [...groups.values()];
};
