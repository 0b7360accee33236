import { comparedBodies, type BodiesAsked } from './json-fields';

const MAX_TOLD = 200;

self.addEventListener('message', ({ data }: MessageEvent<BodiesAsked>) =>
  self.postMessage(comparedBodies(data, MAX_TOLD)),
);
