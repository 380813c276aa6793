import { transformAsync } from "@babel/core";
import macros from "@lingui/babel-plugin-lingui-macro";
import type { Plugin } from "vite";

/** Compiles the macros of texts in pages (t`…`, <Trans>, plural) to calls; TypeScript and JSX stay as they are. */
export const compileTexts: Plugin = {
  name: "texts",
  enforce: "pre",
  transform: {
    filter: { id: /\/renderer\/.*\.tsx?$/, code: /from "@lingui\/\w+\/macro"/ },
    handler: async (code, id) => {
      const made = await transformAsync(code, {
        ...{ filename: id, sourceMaps: true, babelrc: false, configFile: false, retainLines: true },
        parserOpts: { plugins: ["typescript", ...(id.endsWith("x") ? ["jsx" as const] : [])] },
        plugins: [macros],
      });
      return made?.code ? { code: made.code, map: made.map } : null;
    },
  },
};
