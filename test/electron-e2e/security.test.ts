import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../electron/build.ts";

/**
 * Looks at what is shipped, not at its sources: the built main process and preload script are parsed, and every window,
 * handler and bridge in them is read from the syntax tree.
 */
const dist = join(import.meta.dirname, "../../.build/app-for-its-test");

type Node = { readonly type: string } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

const descendants = (from: unknown): Node[] => {
  const found: Node[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) walk(each);
    if (!isNode(value)) return;
    found.push(value);
    for (const each of Object.values(value)) walk(each);
  };
  walk(from);
  return found;
};

const nodesOf = (file: string): Node[] => descendants(parseSync(file, readFileSync(join(dist, file), "utf8")).program);

const literalOf = (node: unknown): unknown => (isNode(node) ? node.value : undefined);

/** `x`, or the `x` of `a.x`. */
const nameOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  if (node.type === "Identifier") return String(node.name);
  return node.type === "MemberExpression" ? nameOf(node.property) : undefined;
};

const propertiesOf = (node: unknown): Map<string, unknown> => {
  if (!isNode(node) || node.type !== "ObjectExpression" || !Array.isArray(node.properties)) return new Map();
  return new Map(
    node.properties.map((each: Node) =>
      each.type === "Property" ? [String(nameOf(each.key) ?? (each.key as Node).value), each.value] : ["...", each],
    ),
  );
};

const literalsOf = (node: unknown): Record<string, unknown> =>
  Object.fromEntries([...propertiesOf(node)].map(([name, value]) => [name, isNode(value) ? value.value : undefined]));

let main: Node[];
const calls = (name: string): Node[][] =>
  main
    .filter(({ type, callee }) => (type === "CallExpression" || type === "NewExpression") && nameOf(callee) === name)
    .map((node) => node.arguments as Node[]); // both kinds of call have them

/** What `contents.on(name, …)` was given for that event. */
const listenersOf = (event: string): Node[] =>
  calls("on").flatMap(([name, listener]) => (name?.value === event && listener ? [listener] : []));

beforeAll(async () => {
  await buildApp(dist);
  main = readdirSync(dist)
    .filter((file) => file.endsWith(".js"))
    .filter((file) => readFileSync(join(dist, file), "utf8").includes('from "electron"'))
    .flatMap(nodesOf);
});

test("every window is isolated, sandboxed and without Node, by literals that nothing spreads over", () => {
  const windows = calls("BrowserWindow");
  expect(windows.length).toBeGreaterThan(0);
  for (const [options] of windows) {
    const preferences = propertiesOf(options).get("webPreferences");
    expect(propertiesOf(preferences).has("...")).toBe(false);
    expect(literalsOf(preferences)).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
    });
  }
});

test("what follows a spread in a window's options decides, and its preferences do follow", () => {
  for (const [options] of calls("BrowserWindow")) {
    const names = [...propertiesOf(options).keys()];
    expect(names.indexOf("webPreferences")).toBeGreaterThan(names.indexOf("..."));
  }
});

test("nothing in the shipped main process weakens a page", () => {
  const wrong = {
    nodeIntegration: true,
    nodeIntegrationInWorker: true,
    nodeIntegrationInSubFrames: true,
    contextIsolation: false,
    sandbox: false,
    webSecurity: false,
    allowRunningInsecureContent: true,
    enableRemoteModule: true,
    experimentalFeatures: true,
    webviewTag: true,
  };
  const found = main
    .filter(({ type }) => type === "Property")
    .flatMap(({ key, value }) =>
      Object.entries(wrong).filter(([name, bad]) => nameOf(key) === name && literalOf(value) === bad),
    );
  expect(found).toEqual([]);
});

test("no other way to make pages is used", () => {
  for (const name of [
    "BrowserView",
    "WebContentsView",
    "executeJavaScript",
    "insertCSS",
    "registerSchemesAsPrivileged",
  ]) {
    expect(calls(name)).toEqual([]);
  }
  const switches = calls("appendSwitch");
  expect(switches).toEqual([]);
});

describe("every door out of a page is shut", () => {
  test("a new window is denied", () => {
    const handlers = calls("setWindowOpenHandler");
    expect(handlers.length).toBe(calls("BrowserWindow").length);
    const actions = handlers.flatMap((handler) =>
      descendants(handler).flatMap((node) => (node.type === "ObjectExpression" ? [literalsOf(node).action] : [])),
    );
    expect(actions).toEqual(["deny"]);
  });

  test.each(["will-navigate", "will-frame-navigate", "will-redirect", "will-attach-webview"])(
    "%s is prevented",
    (event) => {
      const listeners = listenersOf(event);
      expect(listeners.length).toBe(calls("BrowserWindow").length);
      for (const listener of listeners) {
        const prevents = descendants(listener).some(
          ({ type, callee }) => type === "CallExpression" && nameOf(callee) === "preventDefault",
        );
        expect(prevents).toBe(true);
      }
    },
  );

  test("permissions are asked of handlers, for requests, checks and devices", () => {
    for (const name of ["setPermissionRequestHandler", "setPermissionCheckHandler", "setDevicePermissionHandler"]) {
      expect(calls(name).length).toBe(1);
    }
  });
});

test("the whole app is sandboxed", () => {
  expect(calls("enableSandbox").length).toBe(1);
});

test("a page's own policy is left alone: no header of the server is changed", () => {
  for (const name of ["onHeadersReceived", "onBeforeSendHeaders"]) expect(calls(name)).toEqual([]);
  expect(listenersOf("certificate-error")).toEqual([]);
});

test("certificates are judged at one place, which knows nothing but the farm's pin", () => {
  expect(calls("setCertificateVerifyProc")).toHaveLength(1);
});

test("the preload script needs Electron only, and lets out one object without Electron's own", () => {
  const nodes = nodesOf("preload.cjs");
  const required = nodes
    .filter(({ type, callee }) => type === "CallExpression" && nameOf(callee) === "require")
    .map(({ arguments: given }) => (given as Node[])[0]?.value);
  expect(required).toEqual(["electron"]);
  const exposed = nodes
    .filter(({ type, callee }) => type === "CallExpression" && nameOf(callee) === "exposeInMainWorld")
    .map(({ arguments: given }) => (given as Node[])[0]?.value);
  expect(exposed).toEqual(["mediafarm"]);
});
