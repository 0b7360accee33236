import { JsonReader, type JsonAsked } from './json-rows';

const reader = new JsonReader();
self.addEventListener('message', ({ data }: MessageEvent<JsonAsked>) =>
  self.postMessage(reader.answer(data)),
);
