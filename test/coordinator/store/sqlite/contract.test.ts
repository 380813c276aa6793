import { afterAll } from "vitest";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { describeStore } from "../contract/index.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) removeFolder(folder);
});

describeStore("SQLite", async () => {
  const folder = aFolder();
  folders.push(folder);
  return openSqlite(folder);
});
