import { xmlAttributes } from "../../shared/basics/xml-text.ts";

/** What players are told of pictures before they choose them. */
export type Announced = {
  /** If they are not SDR, by the number of ISO/IEC 23091-2. */
  readonly transfer?: number | undefined;
  /** Captions within them: `CC1`, or `CC1=eng`. */
  readonly captions?: readonly string[];
};

export const captionScheme = "urn:scte:dash:cc:cea-608:2015";
const transferScheme = "urn:mpeg:mpegB:cicp:TransferCharacteristics";

/** Elements of an AdaptationSet, in the order that the schema asks for. */
export const announcements = ({ transfer, captions = [] }: Announced): string[] => [
  ...(transfer === undefined ? [] : [descriptor("SupplementalProperty", transferScheme, String(transfer))]),
  ...(captions.length > 0 ? [descriptor("Accessibility", captionScheme, captions.join(";"))] : []),
];

const descriptor = (name: string, schemeIdUri: string, value: string): string =>
  `<${name}${xmlAttributes({ schemeIdUri, value })}/>`;
