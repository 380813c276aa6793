/**
 * How a file in one folder refers to another folder: relative if both are on the same storage, else the folder's own
 * address if players can reach that; undefined if neither is possible. Ends with `/`, or is empty for the same folder.
 */
export const relativeUrl = (from: string, to: string): string | undefined => {
  const [a, b] = [partsOf(from), partsOf(to)];
  if (!a || !b || a.root !== b.root) return /^https?:/i.test(to) ? `${to.replace(/\/+$/, "")}/` : undefined;
  const different = a.names.findIndex((name, index) => name !== b.names[index]);
  const shared = different === -1 ? Math.min(a.names.length, b.names.length) : Math.min(different, b.names.length);
  const down = b.names.slice(shared).map((name) => `${encodeURIComponent(decoded(name))}/`);
  return "../".repeat(a.names.length - shared) + down.join("");
};

const partsOf = (folder: string) => {
  const found = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)\/?(.*)$/i.exec(folder);
  return found && { root: found[1], names: (found[2] ?? "").split("/").filter(Boolean) };
};

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a name with a plain % in it
  }
};
