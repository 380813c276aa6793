import type { Run } from "../process/run.ts";

/** Whether a program fills the screen, because somebody watches, plays or presents. Undefined if unknown. */
export const queryFullScreen = async (
  run: Run,
  platform: NodeJS.Platform,
  display: Readonly<Record<string, string>>,
): Promise<boolean | undefined> => {
  const tell = async (command: string, ...args: string[]): Promise<string> => {
    const { exitCode, stdout } = await run({ command, args, env: display, limitMs: 5000 });
    return exitCode === 0 ? stdout : "";
  };
  if (platform === "darwin") return isScreenKeptAwake(await tell("pmset", "-g", "assertions"));
  if (platform === "win32") return isPresenting(await tell("powershell", "-NoProfile", "-Command", windowsQuestion));
  if (display.DISPLAY === undefined) return undefined;
  const active = activeWindow(await tell("xprop", "-root", "_NET_ACTIVE_WINDOW"));
  if (active === undefined) return undefined;
  return /_NET_WM_STATE_FULLSCREEN/.test(await tell("xprop", "-id", active, "_NET_WM_STATE"));
};

/** `_NET_ACTIVE_WINDOW(WINDOW): window id # 0x3c00007` */
export const activeWindow = (text: string): string | undefined => /# (0x[0-9a-f]*[1-9a-f][0-9a-f]*)/i.exec(text)?.[1];

/**
 * macOS does not report full-screen programs, but it reports what keeps the display awake: players, calls and
 * presentations.
 */
export const isScreenKeptAwake = (text: string): boolean | undefined => {
  const held = /PreventUserIdleDisplaySleep\s+(\d)/.exec(text)?.[1];
  return held === undefined ? undefined : held !== "0";
};

/** 2: busy · 3: a game in full screen · 4: a presentation. */
export const isPresenting = (text: string): boolean | undefined => {
  const state = /^\s*(\d)\s*$/.exec(text)?.[1];
  return state === undefined ? undefined : ["2", "3", "4"].includes(state);
};

const windowsQuestion = [
  'Add-Type -Namespace Shell -Name Notices -MemberDefinition \'[DllImport("shell32.dll")]',
  "public static extern int SHQueryUserNotificationState(out int state);'",
  "; $state = 0; [void][Shell.Notices]::SHQueryUserNotificationState([ref]$state); $state",
].join(" ");
