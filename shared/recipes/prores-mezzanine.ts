import { named, nodesField, type Recipe, transcoded } from "./recipe.ts";

export const proresMezzanine: Recipe = {
  id: "prores-mezzanine",
  title: "ProRes mezzanine",
  says: "A QuickTime file for editing, with uncompressed sound.",
  fields: [
    {
      ...{ key: "profile", label: "Profile", kind: "choice", initial: "apch" },
      choices: [
        ["ap4h", "4444"],
        ["apch", "422 HQ"],
        ["apcn", "422"],
        ["apcs", "422 LT"],
        ["apco", "422 Proxy"],
      ],
    },
    nodesField,
  ],
  make: (values, location) => {
    const target = {
      file_pattern: named("prores"),
      existing_files: "rename_new",
      container: { kind: "mov" },
      video: { codec: "prores", profile: values.profile },
      audio: [{ codec: "pcm", sample_size: 24, sample_rate: 48_000 }],
    };
    return transcoded("mezzanine", location, target, values);
  },
};
