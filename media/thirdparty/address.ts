/**
 * A Windows path as an address: `\\server\share\a b` becomes `smb://server/share/a%20b`, for which nodes have mounts.
 * Other paths and addresses stay unchanged.
 */
export const addressOf = (path: string): string => {
  const share = /^[\\/]{2}([^\\/]+)[\\/]+(.+)$/.exec(path);
  if (!share) return path;
  const [, server = "", rest = ""] = share;
  return `smb://${server}/${rest
    .split(/[\\/]+/)
    .filter(Boolean)
    .map(encodeURIComponent)
    .join("/")}`;
};

/** The address of a file or folder; an address that every machine can reach is preferred. */
export const placeOf = (everywhere: string | undefined, here: string | undefined): string | undefined => {
  const path = everywhere ?? here;
  return path === undefined ? undefined : addressOf(path);
};
