import { defineUnperformed } from "../element.ts";
import { dolbyAudioEncoderPayload } from "./schema.ts";

export const dolbyAudioEncoder = defineUnperformed({
  kind: "dolby_audio_encoder",
  title: "Dolby Audio Encoder",
  payload: dolbyAudioEncoderPayload,
});
