import { defineLicensed } from "../element.ts";
import { dolbyAudioEncoderPayload } from "./schema.ts";

export const dolbyAudioEncoder = defineLicensed({
  kind: "dolby_audio_encoder",
  title: "Dolby Audio Encoder",
  payload: dolbyAudioEncoderPayload,
  program: "Dolby's licensed audio encoder",
});
