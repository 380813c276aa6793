import { join } from "node:path";
import { BrowserWindow, type Certificate, type Session, session, shell } from "electron";
import type { Window, WindowNeeds } from "./desktop.ts";

/** Pages may write to the clipboard and show notices; cameras, location and all other permissions are refused. */
const granted: ReadonlySet<string> = new Set(["clipboard-sanitized-write", "notifications"]);

/** The only window. Its pages are the farm's: they run in a sandbox without Node and cannot leave the farm's origin. */
export const openWindow = (needs: WindowNeeds): Window => {
  guardSession(session.defaultSession, needs);
  const window = new BrowserWindow({
    title: "Mediafarm",
    width: 1440,
    height: 900,
    ...needs.bounds,
    minWidth: 400,
    minHeight: 300,
    show: false,
    webPreferences: {
      preload: join(import.meta.dirname, "preload.cjs"),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  guardContents(window, needs);
  window.once("ready-to-show", () => window.show());
  window.on("close", (event) => {
    if (!needs.mayClose()) event.preventDefault();
  });
  return {
    load: (url) => void window.loadURL(url).catch(() => {}), // did-fail-load tells the app
    url: () => window.webContents.getURL(),
    focus: () => {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    hide: () => window.hide(),
    send: (channel, message) => window.webContents.send(channel, message),
    bounds: () => window.getNormalBounds(),
  };
};

const guardContents = (
  { webContents }: BrowserWindow,
  { isOwn, isForBrowser, onLoadFailed, onGone }: WindowNeeds,
): void => {
  const handOver = (url: string): void => {
    if (isForBrowser(url)) void shell.openExternal(url);
  };
  webContents.setWindowOpenHandler(({ url }) => {
    handOver(url);
    return { action: "deny" };
  });
  webContents.on("will-navigate", (event) => {
    if (isOwn(event.url)) return;
    event.preventDefault();
    if (event.isMainFrame) handOver(event.url);
  });
  webContents.on("will-frame-navigate", (event) => {
    if (!isOwn(event.url)) event.preventDefault();
  });
  webContents.on("will-redirect", (event) => {
    if (!isOwn(event.url)) event.preventDefault();
  });
  webContents.on("will-attach-webview", (event) => event.preventDefault());
  webContents.on("render-process-gone", (_event, { reason }) => {
    if (reason !== "clean-exit") onGone(reason);
  });
  webContents.on("did-fail-load", (_event, code, _words, _url, isMainFrame) => {
    if (isMainFrame && code !== aborted) onLoadFailed();
  });
};

/** Chromium's code for a load that was replaced by another one. */
const aborted = -3;

/** Chromium's answers to a certificate: accepted, refused, and as Chromium thinks itself. */
const [accepted, refused, asUsual] = [0, -2, -3];

/** No server has a longer chain. */
const longestChain = 8;

const chainOf = (certificate: Certificate): string[] => {
  const chain: string[] = [];
  for (let next: Certificate | undefined = certificate; next && chain.length < longestChain; next = next.issuerCert)
    chain.push(next.data);
  return chain;
};

const guardSession = (pages: Session, { isOwn, mayShow }: WindowNeeds): void => {
  pages.setCertificateVerifyProc(({ hostname, certificate }, answer) => {
    const verdict = mayShow?.(hostname, chainOf(certificate));
    answer(verdict === undefined ? asUsual : verdict ? accepted : refused);
  });
  pages.setPermissionRequestHandler((contents, permission, answer) =>
    answer(granted.has(permission) && isOwn(contents.getURL())),
  );
  pages.setPermissionCheckHandler((_contents, permission, origin) => granted.has(permission) && isOwn(origin));
  pages.setDevicePermissionHandler(() => false);
};
