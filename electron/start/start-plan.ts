/** The facts by which `npm start` decides. */
export type StartFacts = {
  readonly platform: string;
  /** Whether Linux has a display; other systems always have one. */
  readonly hasDisplay: boolean;
  /** Linux: Chromium refuses its sandbox to root, and without the sandbox the app does not run. */
  readonly isRoot: boolean;
  readonly wantsBrowser: boolean;
  /** Electron's program, or why it is not available. */
  readonly binary: { readonly path: string } | { readonly missing: string };
};

export type StartPlan =
  | { readonly start: "electron"; readonly binary: string; readonly why: string }
  | { readonly start: "browser"; readonly why: string };

/** The desktop app or the browser, with the first reason against the app. */
export const planStart = ({ platform, hasDisplay, isRoot, wantsBrowser, binary }: StartFacts): StartPlan => {
  if (wantsBrowser) return inBrowser("--browser was given");
  if (!hasDisplay) return inBrowser("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)");
  if (platform === "linux" && isRoot) return inBrowser("the desktop app's sandbox does not run as root");
  if ("missing" in binary) return inBrowser(binary.missing);
  return { start: "electron", binary: binary.path, why: "Electron's program and a display are available" };
};

const inBrowser = (why: string): StartPlan => ({ start: "browser", why });

/** Whether to look for Electron's program at all, which may mean downloading it. */
export const isWorthFetching = (facts: Omit<StartFacts, "binary">): boolean =>
  planStart({ ...facts, binary: { path: "" } }).start === "electron";

export const hasDisplay = (platform: string, env: Readonly<Record<string, string | undefined>>): boolean =>
  platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);

/** The program that opens an address in the system's browser. */
export const browserCommand = (platform: string, url: string): { program: string; words: string[] } => {
  if (platform === "darwin") return { program: "open", words: [url] };
  // `start` is a built-in of cmd and takes its first quoted argument as a title.
  if (platform === "win32") return { program: "cmd", words: ["/c", "start", '""', url.replaceAll("&", "^&")] };
  return { program: "xdg-open", words: [url] };
};

/** How to reach a farm from elsewhere that only this machine can reach; undefined if others can, or there is a display. */
export const reachWords = (url: string, host: string, hasOwnDisplay: boolean): string | undefined => {
  const { hostname, port, protocol } = new URL(url);
  const isOwn = hostname === "127.0.0.1" || hostname === "localhost" || hostname === "[::1]";
  if (hasOwnDisplay || !isOwn) return undefined;
  const number = port || (protocol === "https:" ? "443" : "80");
  return [
    "  From another computer: this farm listens on this machine only. Either",
    `    ssh -N -L ${number}:127.0.0.1:${number} ${host}     and open the same link there, or`,
    "    npm start -- --host 0.0.0.0     to serve HTTPS to your network (docs/operating.md, Security)",
  ].join("\n");
};
