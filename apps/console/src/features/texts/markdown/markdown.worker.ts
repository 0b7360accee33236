import { micromark } from 'micromark';

self.addEventListener('message', ({ data }: MessageEvent<string>) => self.postMessage(micromark(data)));
