/** The URL of another program next to the module at `url`: `.ts` in a clone; `.js` in a bundle, where it is its own entry. */
export const siblingModule = (url: string, name: string): URL =>
  new URL(`./${name}${url.slice(url.lastIndexOf("."))}`, url);
