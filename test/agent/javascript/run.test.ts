import { describe, expect, test } from "vitest";
import { createRunScript } from "../../../agent/javascript/run.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { share } from "../../helpers/long.ts";

/** Each attack takes a thread of its own, and some their whole time: the first of each kind is tried here. */
const attacks = <T>(all: readonly T[]): readonly T[] => share(all, (_, at) => at === 0);

const runScript = createRunScript(systemClock);

type Ask = { readonly input?: unknown; readonly timeoutMs?: number; readonly memoryBytes?: number };

const run = (code: string, { input = {}, timeoutMs = 5000, memoryBytes = 16 * 1024 * 1024 }: Ask = {}) =>
  runScript({ code, input: JSON.stringify(input), timeoutMs, memoryBytes, signal: new AbortController().signal });

const problem = async (code: string, ask?: Ask): Promise<string> =>
  run(code, ask).then(
    (outcome) => `no problem: ${JSON.stringify(outcome)}`,
    (error) => (error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error)),
  );

/** What a script finds, told by a variable. */
const found = async (expression: string, ask?: Ask): Promise<unknown> =>
  (await run(`setVariable("found", String(${expression}))`, ask)).variables.found;

describe("a script", () => {
  test("reads what it is told, sets variables and keeps notes", async () => {
    const code = `
      const { height } = input.source[0].media.video;
      setVariable("bitrate", height >= 1080 ? 6000 : 2500);
      setVariable("name", "x");
      setVariable("hd", height >= 720);
      log("height", height, { a: 1 });
    `;
    expect(await run(code, { input: { source: [{ media: { video: { height: 1080 } } }] } })).toEqual({
      variables: { bitrate: 6000, name: "x", hd: true },
      log: ['height 1080 {"a":1}'],
    });
  });

  test("chooses the error branch by failing", async () => {
    expect(await problem('fail("too dark")')).toBe("media: The script failed: too dark");
    expect(await problem('try { fail("too dark") } catch {}')).toBe("media: The script failed: too dark");
  });

  test("says where it broke", async () => {
    expect(await problem("\n\nnobody()")).toBe(
      "definition: The script broke: ReferenceError: 'nobody' is not defined (line 3)",
    );
    expect(await problem("let x = ;")).toMatch(/^definition: The script broke: SyntaxError/);
    expect(await problem("throw 7")).toBe("definition: The script broke: 7");
    expect(await problem("setVariable('x', {})")).toContain("setVariable(x) needs a text, a number or a boolean");
  });

  test("may use promises, which end with it", async () => {
    expect(await found("1")).toBe("1");
    const code = 'Promise.resolve().then(() => setVariable("later", 1))';
    expect((await run(code)).variables).toEqual({ later: 1 });
    expect(await problem("(async () => nobody())()")).toMatch(/^definition: The script broke: ReferenceError/);
    expect(await problem("new Promise(() => {})")).toBe("definition: The script broke: Error: its promise never ends");
  });
});

describe("the sandbox", () => {
  test.each(
    attacks([
      ["an endless loop", "for (;;);"],
      ["an endless loop of promises", "const again = () => Promise.resolve().then(again); again()"],
      ["a loop that catches its end", "for (;;) { try { for (;;); } catch {} }"],
      ["an endless generator", "for (const x of (function* () { for (;;) yield 1 })());"],
      ["a regular expression that goes wild", '/^(a+)+$/.test("a".repeat(40) + "b")'],
      ["a sort that never ends", "[3, 2, 1].sort(() => { for (;;); })"],
    ]),
  )("ends %s", async (_what, code) => {
    expect(await problem(code, { timeoutMs: 300 })).toBe("timeout: The script ran for more than 0.3 s");
  });

  test.each(
    attacks([
      ["of arrays", "const all = []; for (;;) all.push(new Array(100000).fill(1))"],
      ["of texts", 'let text = "x"; for (;;) text += text'],
      ["of buffers", "const all = []; for (;;) all.push(new Uint8Array(1000000))"],
      ["at once", "new ArrayBuffer(2 ** 31 - 1)"],
      [
        "of objects that are caught",
        "const all = []; for (;;) { try { for (;;) all.push({}) } catch { all.push([]) } }",
      ],
    ]),
  )("contains a memory bomb %s", async (_what, code) => {
    expect(await problem(code, { timeoutMs: 500, memoryBytes: 4_000_000 })).toMatch(
      /^(resources: The script needs more memory|timeout: |definition: The script broke: (RangeError|InternalError))/,
    );
  });

  test("contains endless recursion", async () => {
    expect(await problem("const f = () => f() + 1; f()")).toMatch(/^definition: The script broke: .*stack overflow/);
    expect(await problem('JSON.parse("[".repeat(1000000))')).toMatch(/^definition: The script broke: /);
  });

  test("has nothing of a host", async () => {
    const names = [
      ...["process", "require", "module", "Buffer", "fetch", "XMLHttpRequest", "WebSocket", "WebAssembly", "Worker"],
      ...[
        "setTimeout",
        "console",
        "std",
        "os",
        "Deno",
        "Bun",
        "__dirname",
        "importScripts",
        "performance",
        "navigator",
      ],
    ];
    expect(await found(`[${names.map((name) => `typeof ${name}`)}].filter((type) => type !== "undefined")`)).toBe("");
  });

  test("has no way to the host through constructors, functions or errors", async () => {
    const ways = [
      'Function("return this")() === globalThis',
      '[].constructor.constructor("return typeof process")()',
      '(async () => {}).constructor("return typeof process")() instanceof Promise',
      '(() => { try { null.x } catch (e) { return e.constructor.constructor("return typeof require")() } })()',
      'log.constructor("return typeof globalThis.process")()',
      "Object.keys(globalThis).sort()",
    ];
    expect(await Promise.all(ways.map((way) => found(way)))).toEqual([
      ...["true", "undefined", "true", "undefined", "undefined", "fail,input,log,setVariable"],
    ]);
  });

  test("has no files and no network: nothing can be imported", async () => {
    for (const name of ["node:fs", "fs", "/etc/passwd", "https://example.com/x.js", "./run.ts"]) {
      const code = `import(${JSON.stringify(name)}).then(() => setVariable("got", 1), () => setVariable("got", 0))`;
      expect(await problem(code)).not.toContain('"got":1');
    }
    expect(await problem('import "node:fs"')).toMatch(/^definition: The script broke: SyntaxError/);
  });

  test("lets nobody change what it is told or the functions it is given", async () => {
    const code = `
      try { input.a = 2; } catch {}
      try { input = 3; } catch {}
      try { setVariable = () => {}; } catch {}
      setVariable("a", input.a);
    `;
    expect((await run(code, { input: { a: 1 } })).variables).toEqual({ a: 1 });
  });

  test.each(
    attacks([
      "Object.prototype.toJSON = () => 'evil'",
      "Array.prototype.push = () => { throw new Error('evil') }; Array.prototype.map = () => ['evil']",
      "String.prototype.slice = () => ({ toString: () => { for (;;); } })",
      "Object.defineProperty(Object.prototype, 'variables', { get: () => ({ evil: 1 }), set: () => {} })",
      "Object.prototype.failure = 'evil'; Object.prototype.problem = 'evil'",
      "setVariable('__proto__', 1); setVariable('constructor', 'x'); setVariable('a b', 1)",
      "for (let i = 0; i < 1000; i++) setVariable('v' + i, i)",
      "setVariable('long', 'x'.repeat(1e6))",
      "for (let i = 0; i < 1e5; i++) log('x'.repeat(5000))",
      'JSON.stringify = () => \'{"variables":{"evil":1},"log":[],"failure":null}\'',
      "throw { toString: () => { throw 1 }, get message() { for (;;); } }",
      "throw new Proxy({}, { get: () => { throw 1 }, ownKeys: () => { throw 2 } })",
    ]),
  )("is not harmed by %s", async (code) => {
    const said = await problem(`${code};\nlog("still here")`, { timeoutMs: 1000 });
    expect(said).not.toContain('evil":1');
    expect(await run("setVariable('next', 1)")).toEqual({ variables: { next: 1 }, log: [] });
    expect(({} as Record<string, unknown>).evil).toBeUndefined();
  });

  test("ends with its attempt", async () => {
    const attempt = new AbortController();
    const script = { code: "for (;;);", input: "{}", timeoutMs: 60_000, memoryBytes: 1e7, signal: attempt.signal };
    setTimeout(() => attempt.abort(new Error("stopped")), 100);
    await expect(runScript(script)).rejects.toThrow("stopped");
  });
});
