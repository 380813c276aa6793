import { contextBridge, ipcRenderer, webUtils } from "electron";
import type { Bridge, ChannelName, Computer, Reply } from "../shared/desktop/ipc.ts";

/**
 * Our only code between the pages and the app: it names the channels and nothing else. The names are repeated here,
 * checked by the compiler, so that the table's schemas stay out of the page's process.
 */
const channels: Readonly<Record<ChannelName, true>> = {
  getComputer: true,
  setRules: true,
  press: true,
  setSlots: true,
  addRoot: true,
  removeRoot: true,
  setStartAtLogin: true,
  setNotices: true,
  openFolder: true,
  openInBrowser: true,
  listFarms: true,
  startFarm: true,
  joinFarm: true,
  leaveFarm: true,
  installUpdate: true,
};

const ask = async (name: string, input: unknown): Promise<unknown> => {
  const reply: Reply = await ipcRenderer.invoke(`mediafarm:${name}`, input);
  if (reply.ok) return reply.value;
  throw new Error(reply.message);
};

const onComputer = (listener: (computer: Computer) => void): (() => void) => {
  // Electron's event is not passed on: it would give the page access to the sender.
  const pass = (_event: unknown, computer: Computer) => listener(computer);
  ipcRenderer.on("mediafarm:computer", pass);
  return () => {
    ipcRenderer.removeListener("mediafarm:computer", pass);
  };
};

/** Only the preload script can get a dropped file's path. */
const pathOf = (file: File): string => webUtils.getPathForFile(file);

const asked = Object.keys(channels).map((name) => [name, (input: unknown) => ask(name, input)]);
const bridge = { ...Object.fromEntries(asked), onComputer, pathOf } as Bridge; // the mapped type says what the loop does
contextBridge.exposeInMainWorld("mediafarm", bridge);
