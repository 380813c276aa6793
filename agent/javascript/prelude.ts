/**
 * JavaScript that runs in the sandbox before a script. It gives the script `input`, `setVariable`, `fail` and `log`,
 * and returns a function that reports the outcome, which the script can never access. No host function is exposed. A
 * script that changes built-in objects harms only itself: its result is validated outside.
 */
export const prelude = `(() => {
  "use strict";
  const { parse, stringify } = JSON;
  const { freeze, values } = Object;
  const text = String;
  const limits = { variables: 100, lines: 1000, characters: 2000 };
  const state = { variables: {}, log: [], failure: null };
  let lines = 0;
  const frozen = (value) => {
    if (typeof value !== "object" || value === null) return value;
    for (const part of values(value)) frozen(part);
    return freeze(value);
  };
  const input = frozen(parse(globalThis.input));
  const give = (name, value) => Object.defineProperty(globalThis, name, { value, enumerable: true });
  delete globalThis.input;
  give("input", input);
  give("setVariable", (name, value) => {
    if (typeof name !== "string") throw new TypeError("setVariable needs a name first");
    if (!["string", "number", "boolean"].includes(typeof value) || value !== value)
      throw new TypeError("setVariable(" + name + ") needs a text, a number or a boolean");
    state.variables[name] = value;
  });
  give("fail", (message) => {
    state.failure = text(message === undefined ? "The script failed" : message).slice(0, limits.characters);
    throw new Error(state.failure);
  });
  give("log", (...words) => {
    lines += 1;
    if (lines > limits.lines) return;
    const line = words.map((word) => (typeof word === "string" ? word : stringify(word) ?? text(word))).join(" ");
    state.log.push(line.slice(0, limits.characters));
  });
  return () => stringify(state);
})()`;
