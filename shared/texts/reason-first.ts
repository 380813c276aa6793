/** A message by what a person reads first: why, then the file's name, then where the file is. */
export type Reason = {
  readonly why: string;
  /** Absent where `why` names the file already, or there is none. */
  readonly file: string | undefined;
  /** The folder of the first path of the message, without the file's name. */
  readonly folder: string | undefined;
};

/** An address with a scheme, a path of Windows or of a share, or an absolute path with at least two parts. */
const path =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?<![\w])[A-Za-z]:[\\/]|(?<!\\)\\\\(?=\w)|(?<![\w.:/])\/(?=[^\s/]+\/))[^\s"'“”‘’<>|]*[^\s"'“”‘’<>|.,:;!?)\]}]/;
/** The field of a job that a message begins with: it leads to the place, and says little. */
const field = /^((?:[\w-]{1,80}\.)?payload\.[\w.[\]-]{1,300}?):? (?=\S)/;
/** Words before a path that say nothing once it has moved. */
const leadIn = /(?:[\s:–-]|\b(?:in|of|at|from|for)\b|[("'“‘[])+$/i;
const closing = /^[\s.)"'”’\]]*$/;

/** Longer messages are not looked through: the log has them. */
const longest = 4000;

/** Moves the reason of a message before its first path, and the path behind it. */
export const reasonFirst = (message: string): Reason => {
  const place = field.exec(message);
  if (place?.[1] !== undefined && message.length <= longest)
    return { why: capital(message.slice(place[0].length)), file: place[1], folder: undefined };
  const found = message.length > longest ? null : path.exec(message);
  if (!found) return { why: message, file: undefined, folder: undefined };
  const [whole] = found;
  const { name, folder } = splitPath(whole);
  const before = message.slice(0, found.index);
  const after = message.slice(found.index + whole.length);
  const behind = /^["'”’)]?:\s+(?=\S)/.exec(after);
  if (behind) return { why: capital(after.slice(behind[0].length)), file: name, folder };
  if (closing.test(after)) {
    const why = before.replace(leadIn, "");
    if (why !== "") return { why, file: name, folder };
  }
  return { why: `${before}${name}${after}`, file: undefined, folder };
};

/** All of it in one line, the folder shortened in its middle: "moov atom not found · A021.mov · /mnt/…/day 3". */
export const reasonLine = (message: string): string => {
  const { why, file, folder } = reasonFirst(message);
  return [why, file, folder === undefined ? undefined : shortFolder(folder)].filter((part) => part).join(" · ");
};

/** Keeps the beginning and the end of a folder's path, and whole names of folders. */
export const shortFolder = (folder: string, most = 32): string => {
  if (folder.length <= most) return folder;
  const separator = folder.includes("/") ? "/" : "\\";
  const head = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*|[A-Za-z]:|\\\\[^\\]+|)[\\/]?[^\\/]*/i.exec(folder)?.[0] ?? "";
  const names = folder.slice(head.length).split(separator);
  let tail = names.pop() ?? "";
  for (let name = names.pop(); name; name = names.pop()) {
    const longer = `${name}${separator}${tail}`;
    if (head.length + longer.length + 3 > most) break;
    tail = longer;
  }
  return cutMiddle(`${head}${separator}…${separator}${tail}`, most);
};

/** A text of at most so many characters: what is too much goes from its middle, and more of its end stays. */
export const cutMiddle = (text: string, most: number): string => {
  const signs = [...text];
  if (signs.length <= most) return text;
  const end = Math.ceil((most - 1) * 0.6);
  return `${signs.slice(0, most - 1 - end).join("")}…${signs.slice(signs.length - end).join("")}`;
};

const splitPath = (whole: string): { readonly name: string; readonly folder: string | undefined } => {
  const at = Math.max(whole.lastIndexOf("/"), whole.lastIndexOf("\\"));
  const [folder, name] = [whole.slice(0, at), whole.slice(at + 1)];
  const isHost = /^[a-z][a-z0-9+.-]*:\/?$/i.test(folder);
  return { name: decoded(name), folder: folder === "" || isHost ? undefined : folder };
};

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a plain path with a % in it
  }
};

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
