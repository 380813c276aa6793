import { createHash } from "node:crypto";
import { appLanguageOf, sayIn } from "../language/say.ts";
import type { AppText } from "../language/texts.ts";

/**
 * The page of a new computer: start a farm here, or join one. It is a data address, so the bridge can recognise exactly
 * this page by its address; its policy allows its one script by hash.
 */
export const firstRunPage = (mediaFolder: string, locale: string): string => {
  const say = sayIn(locale);
  const words = (text: AppText): string => escapeHtml(say(text));
  const folder = `<code>${escapeHtml(mediaFolder)}</code>`;
  const hash = createHash("sha256").update(script).digest("base64");
  const html = `<!doctype html>
<html lang="${appLanguageOf(locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'">
<title>${words("Welcome to Mediafarm")}</title>
<style>${style}</style>
<main>
<h1>${words("Welcome to Mediafarm")}</h1>
<p>${words("A farm shares the work of encoding and checking media among computers. This computer works only when nobody uses it, until you say otherwise.")}
${words("Jobs may use {folder} and nothing else.").replace("{folder}", () => folder)}</p>
<section aria-labelledby="own"><h2 id="own">${words("Start a farm here")}</h2>
<p>${words("This computer keeps the jobs and works on them. Other computers can join later.")}</p>
<button type="button" id="start" class="primary">${words("Start a farm")}</button></section>
<section aria-labelledby="other"><h2 id="other">${words("Join a farm")}</h2>
<p>${words("Ask the farm’s owner for a join token: it is on the farm’s page Nodes, under Add a node.")}</p>
<ul id="farms" aria-label="${words("Farms in this network")}"></ul>
<p id="none">${words("Looking for farms in this network. A token works without that.")}</p>
<form id="join"><label for="token">${words("Join token")}</label>
<textarea id="token" rows="3" spellcheck="false" autocomplete="off" required placeholder="mfj1_…"></textarea>
<button type="submit">${words("Join")}</button></form></section>
<p id="problem" role="alert"></p>
</main>
<script>${script}</script>
</html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
};

const style = `
:root { color-scheme: light dark; font: 13px/20px system-ui, sans-serif; background: light-dark(#f3f3f3, #131313); color: light-dark(#161616, #eee) }
main { box-sizing: border-box; max-width: 40em; margin: 8vh auto; padding: 0 16px; display: grid; gap: 12px }
h1 { font-size: 20px; line-height: 28px; margin: 0 } h2 { font-size: 13px; margin: 0 } p { margin: 0 }
section { background: light-dark(#fff, #1b1b1b); border: 1px solid light-dark(#e0e0e0, #2c2c2c); border-radius: 6px; padding: 16px; display: grid; gap: 8px; justify-items: start }
button { font: inherit; font-weight: 500; min-height: 32px; padding: 0 12px; border-radius: 5px; border: 1px solid light-dark(#c9c9c9, #434343); background: light-dark(#fff, #1b1b1b); color: inherit }
button.primary { background: light-dark(#161616, #eee); color: light-dark(#fff, #161616); border-color: transparent }
:focus-visible { outline: 2px solid; outline-offset: 2px }
form { display: grid; gap: 8px; justify-items: start; width: 100% } label { font-weight: 500 }
textarea { box-sizing: border-box; width: 100%; font: 12px/16px ui-monospace, monospace; border: 1px solid light-dark(#7e7e7e, #858585); border-radius: 4px; padding: 8px; background: light-dark(#fff, #171717); color: inherit }
textarea::placeholder { color: light-dark(#616161, #a0a0a0) }
ul { margin: 0; padding: 0; list-style: none } code { overflow-wrap: anywhere }
#problem { color: light-dark(#a8320b, #ff9674) }
`;

const script = `
const { mediafarm } = window;
const byId = (id) => document.getElementById(id);
const tell = (problem) => { byId("problem").textContent = problem.message; };
byId("start").onclick = () => mediafarm.startFarm({}).catch(tell);
byId("join").onsubmit = (event) => {
  event.preventDefault();
  mediafarm.joinFarm({ joinToken: byId("token").value }).catch(tell);
};
const look = async () => {
  const farms = await mediafarm.listFarms({});
  byId("none").hidden = farms.length > 0;
  byId("farms").replaceChildren(...farms.map(({ name, address }) => {
    const item = document.createElement("li");
    item.textContent = name + ", at " + address;
    return item;
  }));
};
look().catch(tell);
setInterval(() => look().catch(tell), 2000);
`;

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
