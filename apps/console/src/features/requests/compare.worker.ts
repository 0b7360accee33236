import { comparedBodies, type BodiesAsked } from './json-fields';

const MOST = 200;

self.addEventListener('message', ({ data }: MessageEvent<BodiesAsked>) =>
  self.postMessage(comparedBodies(data, MOST)),
);
