import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Starts the app at login on Linux desktops, which read this folder; elsewhere Electron does it. */
export const setLinuxAutostart = (configHome: string, program: string, isWanted: boolean): void => {
  const folder = join(configHome, "autostart");
  const file = join(folder, "mediafarm.desktop");
  if (!isWanted) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, autostartEntry(program));
};

export const autostartEntry = (program: string): string => `[Desktop Entry]
Type=Application
Name=Mediafarm
Comment=Lends this computer to a media farm
Exec=${quoted(program)} --hidden
X-GNOME-Autostart-enabled=true
`;

/** Quotes as the desktop entry specification says: four characters are escaped, and percent signs are doubled. */
const quoted = (program: string): string =>
  `"${program.replaceAll(/["`$\\]/g, (character) => `\\${character}`).replaceAll("%", "%%")}"`;
