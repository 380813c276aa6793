/**
 * JavaScript that is run in the sandbox before a script. It leaves `input`, `setVariable`, `fail` and `log` to the script, and
 * gives back the function that tells what became of it, which the script never gets hold of. No function of the host is
 * let in. What a script does to built-in objects harms itself alone: what it leaves behind is checked outside.
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
    if (typeof name !== "string") throw new TypeError("setVariable wants a name first");
    if (!["string", "number", "boolean"].includes(typeof value) || value !== value)
      throw new TypeError("setVariable(" + name + ") wants a text, a number or a boolean");
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
