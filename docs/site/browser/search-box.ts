import { type DocsIndex, type Hit, searchDocs } from "./search.ts";

/** The field on top of every page, and what it finds. The index is loaded when somebody first uses it. */
export const addSearch = (base: string): void => {
  const place = document.querySelector<HTMLElement>(".search");
  if (!place) return;
  place.innerHTML = `<input type="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off">
<div class="found" hidden><p role="status"></p><ol></ol></div>`;
  place.hidden = false;
  const [field, found] = [place.querySelector("input"), place.querySelector<HTMLElement>(".found")];
  if (!field || !found) return;
  const load = createLoader(base);
  const show = async () => showHits(base, field.value, found, await load());
  field.addEventListener("focus", () => void load());
  field.addEventListener("input", () => void show());
  place.addEventListener("keydown", (event) => followKeys(event, place, field, found));
  place.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) found.hidden = true;
  });
  field.addEventListener("focus", () => {
    if (field.value.trim() !== "") void show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
};

type Index = DocsIndex | undefined;

/** Loads the index once. */
const createLoader = (base: string): (() => Promise<Index>) => {
  let loading: Promise<Index> | undefined;
  const load = () =>
    new Promise<Index>((resolve) => {
      const script = document.createElement("script");
      script.src = `${base}site/search-index.js`;
      // The file was made by the same build as this one.
      script.addEventListener("load", () => resolve((globalThis as { docsIndex?: DocsIndex }).docsIndex));
      script.addEventListener("error", () => {
        loading = undefined;
        resolve(undefined);
      });
      document.head.append(script);
    });
  return () => {
    loading ??= load();
    return loading;
  };
};

const showHits = (base: string, query: string, found: HTMLElement, index: Index): void => {
  const [status, list] = [found.querySelector("p"), found.querySelector("ol")];
  if (!status || !list) return;
  found.hidden = query.trim() === "";
  const hits = index ? searchDocs(index, query) : [];
  list.replaceChildren(...hits.map((hit) => itemOf(base, hit)));
  status.textContent = index ? wordsFor(hits.length, query) : "The index could not be loaded.";
};

const wordsFor = (count: number, query: string): string => {
  if (count === 0) return `Nothing is called “${query.trim()}”.`;
  return count === 1 ? "1 place" : `${count} places`;
};

const itemOf = (base: string, { address, title, heading, parts }: Hit): HTMLElement => {
  const [item, link, text] = [
    document.createElement("li"),
    document.createElement("a"),
    document.createElement("span"),
  ];
  link.href = base + address;
  const name = document.createElement("strong");
  name.textContent = heading === title ? title : `${title}: ${heading}`;
  text.append(
    ...parts.map((part) => {
      const piece = document.createElement(part.isHit ? "mark" : "span");
      piece.textContent = part.text;
      return piece;
    }),
  );
  link.append(name, text);
  item.append(link);
  return item;
};

/** Arrows go through what was found, Escape closes it. */
const followKeys = (event: KeyboardEvent, place: HTMLElement, field: HTMLElement, found: HTMLElement): void => {
  if (event.key === "Escape") {
    found.hidden = true;
    field.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || found.hidden) return;
  event.preventDefault();
  const stops: (Element | null)[] = [field, ...place.querySelectorAll<HTMLElement>(".found a")];
  const next = stops[Math.min(Math.max(stops.indexOf(document.activeElement) + step, 0), stops.length - 1)];
  if (next instanceof HTMLElement) next.focus();
};
