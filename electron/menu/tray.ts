import type { Computer } from "../../shared/desktop/ipc.ts";
import type { Tray } from "../desktop/desktop.ts";
import type { TrayPicture } from "../desktop/tray-icon.ts";
import { type Actions, trayMenu } from "./menu.ts";

/** What the tray shows of this computer: a summary in the tooltip, everything in the menu. */
export const showInTray = (tray: Tray | undefined, computer: Computer, actions: Actions): void =>
  tray?.show({
    picture: trayPicture(computer),
    tooltip: `Mediafarm: ${computer.title}. ${computer.words}`,
    entries: trayMenu(computer, actions),
  });

/** Tasks that finish although lending has stopped still work for the farm. */
export const trayPicture = ({ state, report }: Pick<Computer, "state" | "report">): TrayPicture => {
  const running = report?.running.length ?? 0;
  if (running > 0) return report?.standing.isSuspended ? "held" : "lending";
  return state === "lending" || state === "soon" ? "lending" : "off";
};
