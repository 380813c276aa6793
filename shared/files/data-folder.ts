/** What a coordinator's data folder holds, wherever its operator put it. By these it is known, and is lent to nobody. */
export const dataFiles = ["farm.db", "secret.key"] as const;

/** SQLite's `application_id` of a farm's database and of each of its backups, wherever they lie and whatever they are called. */
export const databaseMark = 0x4d46_6672;
/** The bytes from which a file is known as such. */
export const markedBytes = 72;

/** Whether a file that begins so is a farm's database: it holds the secrets of everybody, so no job reads it. */
export const isFarmDatabase = (head: Uint8Array): boolean =>
  head.length >= markedBytes &&
  String.fromCharCode(...head.subarray(0, 16)) === "SQLite format 3\0" &&
  new DataView(head.buffer, head.byteOffset).getUint32(markedBytes - 4) === databaseMark;

/**
 * Whether some file system would take the name for that of a database. Nothing of this name is ever published: whoever could
 * put such files into a folder that is lent would make it look like a data folder, which no job may use.
 */
export const namesDatabase = (name: string): boolean =>
  name
    .replace(/:.*$/s, "") // a stream of a file on Windows
    .replaceAll(/\p{Cf}/gu, "")
    .replace(/[. ]+$/, "")
    .toLowerCase() === dataFiles[0];
