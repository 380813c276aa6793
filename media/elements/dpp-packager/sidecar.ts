import { xmlText } from "../../../shared/basics/xml-text.ts";
import { fieldsOf, type Programme, pictureRatios } from "./programme.ts";
import type { Delivery } from "./rules.ts";

/** The sidecar's text on both sides of the file's checksum, which nobody knows before the file is made. */
export type Sidecar = { readonly before: string; readonly after: string };

type Content = string | readonly Element[];
type Element = readonly [name: string, content: Content, unit?: string];

/** The XML that describes a delivery: what people said of it, and what its file is. */
export const sidecarOf = (delivery: Delivery, fileName: string): Sidecar => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const namespace = "http://www.digitalproductionpartnership.co.uk/ns/as11/2013";
  const text = print(["Programme", contentOf(delivery, fileName)]).join("\n");
  const whole = `${head}${text.replace("<Programme>", `<Programme xmlns="${namespace}">`)}\n`;
  const [before = "", after = ""] = whole.split(checksum);
  return { before, after };
};

/** Texts of payloads lose their NULs on the way into XML, so nothing else is taken for it. */
const checksum = "\0";

const contentOf = ({ shim, programme, timeline }: Delivery, fileName: string): Element[] => {
  const { words } = shim;
  return [
    ["Editorial", group(programme, "editorial")],
    [
      "Technical",
      [
        ["ShimName", shim.name],
        ["ShimVersion", shim.version],
        [
          "Video",
          [
            ["VideoBitRate", words.bitRate, "Mbps"],
            ["VideoCodec", words.codec],
            ["VideoCodecParameters", words.parameters],
            ["PictureFormat", words.format],
            ...group(programme, "video"),
          ],
        ],
        [
          "Audio",
          [
            ["AudioSamplingFrequency", "48", "kHz"],
            ["AudioBitDepth", "24"],
            ["AudioCodecParameters", words.sound],
            ...group(programme, "audio"),
          ],
        ],
        ["Timecodes", timecodesOf(timeline)],
        ["AccessServices", group(programme, "access_services")],
        [
          "Additional",
          [
            ...group(programme, "additional"),
            ["AssociatedMediaFilename", fileName],
            ["MediaChecksumType", "MD5"],
            ["MediaChecksumValue", checksum],
          ],
        ],
        ["ContactInformation", group(programme, "contact_information")],
      ],
    ],
  ];
};

/** What is said of a group; fields that this program does not know stay outside. */
const group = (programme: Programme, name: Parameters<typeof fieldsOf>[0]): Element[] => {
  const values = new Map(Object.entries(programme[name] ?? {}));
  return fieldsOf(name).flatMap((field): Element[] => {
    const value = values.get(field);
    return value === undefined
      ? []
      : [[elementName(field), field === "picture_ratio" ? ratioOf(value) : String(value)]];
  });
};

const ratioOf = (value: unknown): string => new Map<unknown, string>(Object.entries(pictureRatios)).get(value) ?? "";

const timecodesOf = ({ lineUp, ident, parts, total }: Delivery["timeline"]): Element[] => [
  ...(lineUp === undefined ? [] : [["LineUpStart", lineUp] as const]),
  ...(ident === undefined ? [] : [["IdentClockStart", ident] as const]),
  [
    "Parts",
    parts.map(({ part_number, part_total, part_som, part_duration }) => [
      "Part",
      [
        ["PartNumber", String(part_number)],
        ["PartTotal", String(part_total)],
        ["PartSOM", part_som],
        ["PartDuration", part_duration],
      ],
    ]),
  ],
  ["TotalNumberOfParts", String(parts.length)],
  ["TotalProgrammeDuration", total],
];

const capitals: Readonly<Record<string, string>> = { afd: "AFD", pse: "PSE" };

/** `pse_pass` is the element `PSEPass`. */
const elementName = (field: string): string =>
  field
    .split("_")
    .map((word) => capitals[word] ?? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");

const print = ([name, content, unit]: Element): string[] => {
  const open = unit === undefined ? `<${name}>` : `<${name} unit="${unit}">`;
  if (typeof content === "string") return [`${open}${content === checksum ? checksum : xmlText(content)}</${name}>`];
  return [open, ...content.flatMap((each) => print(each).map((line) => `  ${line}`)), `</${name}>`];
};
