import type { Computer } from "../../shared/desktop/ipc.ts";
import type { Tray } from "../desktop/desktop.ts";
import { type Actions, trayMenu } from "./menu.ts";

/** What the tray shows of this computer: a summary in the tooltip, everything in the menu. */
export const showInTray = (tray: Tray | undefined, computer: Computer, actions: Actions): void =>
  tray?.show({
    tooltip: `Mediafarm: ${computer.title}. ${computer.words}`,
    entries: trayMenu(computer, actions),
  });
