import { choice, type JobTemplate, singleElementJob } from "./job-template.ts";

export const copyFiles: JobTemplate = {
  id: "copy",
  title: "Copy",
  says: "The files as they are, into another folder or storage, checked after the copy.",
  fields: [
    choice("existing", "If a file already exists", "fail", [
      ["fail", "Fail"],
      ["replace", "Replace it"],
      ["rename_new", "Give the new one another name"],
    ]),
  ],
  make: ({ existing }, location) =>
    singleElementJob("copy", "copy", { target: { location, file_pattern: "{source_name}", existing_files: existing } }),
};
