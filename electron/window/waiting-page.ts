import { appLanguageOf, sayIn } from "../language/say.ts";

/** What the window shows while the farm's pages are not available: only text, without scripts and outside every origin. */
export const waitingPage = (words: string, locale: string): string => {
  const html = `<!doctype html>
<html lang="${appLanguageOf(locale)}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Mediafarm</title>
<style>
:root { color-scheme: light dark; font: 15px/22px system-ui, sans-serif; background: light-dark(#f3f3f3, #131313);
  color: light-dark(#161616, #eee) }
body { margin: 20vh auto; max-width: 34em; padding: 0 16px } h1 { font: 600 20px/28px system-ui, sans-serif }
</style>
<h1>${escapeHtml(words)}</h1>
<p>${escapeHtml(sayIn(locale)("The dashboard will appear here. Use the menus to pause lending, open folders and quit."))}</p>
</html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
