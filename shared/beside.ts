/** A program beside the module at `url`, of its kind: `.ts` in a clone, `.js` in a bundle, which knows it as an entry of its own. */
export const beside = (url: string, name: string): URL => new URL(`./${name}${url.slice(url.lastIndexOf("."))}`, url);
