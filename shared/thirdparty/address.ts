/**
 * A path of a Windows machine as an address: `\\server\share\a b` becomes `smb://server/share/a%20b`, for which nodes have
 * mounts. Other paths and addresses stay what they are.
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

/** The address of a file or folder: that which every machine can reach goes first. */
export const placeOf = (everywhere: string | undefined, here: string | undefined): string | undefined => {
  const path = everywhere ?? here;
  return path === undefined ? undefined : addressOf(path);
};
