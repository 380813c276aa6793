import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bareTexts } from "../helpers/pages/bare-texts.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync("renderer/**/*.{ts,tsx}", { cwd: root }).filter(
  (file) => !/\/dist\/|\.d\.ts$|languages\.ts$/.test(file),
);

describe("texts of the pages", () => {
  test("are never bare: t, plural, <Trans> or <Plural> hold each, or something says that nobody translates it", () => {
    expect(sources.length).toBeGreaterThan(150);
    expect(sources.flatMap((file) => bareTexts(file, readFileSync(join(root, file), "utf8")))).toEqual([]);
  });
});

describe("a bare text", () => {
  const found = (code: string) => bareTexts("page.tsx", code);

  test("is found between tags, in attributes for people, in tables and in sentences that code puts together", () => {
    expect(found("const A = () => <p>Stop job</p>;")).toEqual(["page.tsx:1 Stop job"]);
    expect(found('const A = () => <Button\n  title="Stop job" />;')).toEqual(["page.tsx:2 Stop job"]);
    expect(found('const A = () => <b aria-label={isOn ? "on" : t`off`} />;')).toEqual(["page.tsx:1 on"]);
    expect(found('const kinds = { state: { word: "running" } };')).toEqual(["page.tsx:1 running"]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    expect(found("const say = (n) => `${n} jobs stopped`;")).toEqual(["page.tsx:1 {} jobs stopped"]);
  });

  test("is none that a macro holds, that a machine reads, or that says of itself that nobody translates it", () => {
    const texts = [
      "const A = () => <p title={t`Stop job`}><Trans>Stop <b>one</b> job</Trans></p>;",
      'const B = (n) => <Plural value={n} one="# job" other="# jobs" />;',
      'const c = plural(n, { one: "# job", other: "# jobs" });',
      'const D = () => <p className="wide open"><code>npm run texts</code> <i translate="no">Stop job</i></p>;',
      'const e = key === "Stop job" ? { to: "/jobs" } : request("stopJobs", { kind: "Stop" });',
      'const f = "The standard"; // untranslated: its name',
    ];
    expect(texts.flatMap(found)).toEqual([]);
  });
});
