import { type Recipe, single } from "./recipe.ts";

export const copyFiles: Recipe = {
  id: "copy",
  title: "Copy",
  says: "The files as they are, into another folder or storage, checked after the copy.",
  fields: [
    {
      ...{ key: "existing", label: "If a file already exists", kind: "choice", initial: "fail" },
      choices: [
        ["fail", "Fail"],
        ["replace", "Replace it"],
        ["rename_new", "Give the new one another name"],
      ],
    },
  ],
  make: ({ existing }, location) =>
    single("copy", "copy", { target: { location, file_pattern: "{source_name}", existing_files: existing } }),
};
