/** Many browsers name others behind their own name, so the order counts. */
const browsers = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Electron", "Mediafarm"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;

const systems = [
  ["Windows", "Windows"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** "Firefox, Linux" of what a browser says about itself; undefined where nothing in it is known. */
export const browserName = (text: string): string | undefined => {
  const found = [browsers, systems].flatMap((names) => names.find(([sign]) => text.includes(sign))?.[1] ?? []);
  return found.length > 0 ? found.join(", ") : undefined;
};
