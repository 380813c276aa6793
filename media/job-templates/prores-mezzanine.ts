import { choice, type JobTemplate, masterSound, nodesField, outputPattern, transcodeJob } from "./job-template.ts";

export const proresMezzanine: JobTemplate = {
  id: "prores-mezzanine",
  title: "ProRes mezzanine",
  says: "A QuickTime file for editing, with uncompressed sound.",
  fields: [
    choice("profile", "Profile", "apch", [
      ["ap4h", "4444"],
      ["apch", "422 HQ"],
      ["apcn", "422"],
      ["apcs", "422 LT"],
      ["apco", "422 Proxy"],
    ]),
    nodesField,
  ],
  make: (values, location) => {
    const target = {
      file_pattern: outputPattern("prores"),
      existing_files: "rename_new",
      container: { kind: "mov" },
      video: { codec: "prores", profile: values.profile },
      audio: [masterSound],
    };
    return transcodeJob("mezzanine", location, target, values);
  },
};
