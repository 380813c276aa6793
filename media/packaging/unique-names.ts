/** Names that are unique among those that it made, of letters that need no escaping anywhere. */
export const createUniqueNames = () => {
  const taken = new Set<string>();
  return (wanted: string): string => {
    const plain =
      wanted
        .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
        .slice(0, 80)
        .replace(/^_+/, "") || "media";
    for (let number = 1; ; number++) {
      const stem = number === 1 ? plain : `${plain}_${number}`;
      if (taken.has(stem)) continue;
      taken.add(stem);
      return stem;
    }
  };
};
