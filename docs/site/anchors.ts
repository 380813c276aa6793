/** Gives each heading of a page its anchor, as GitHub does: links that work there work here. */
export const createAnchors = (): ((heading: string) => string) => {
  const taken = new Map<string, number>();
  return (heading) => {
    const word = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-");
    const before = taken.get(word);
    taken.set(word, (before ?? 0) + 1);
    return before === undefined ? word : `${word}-${before}`;
  };
};
