import { drawingOf, type Drawn } from './layout';

self.addEventListener('message', ({ data }: MessageEvent<Drawn>) => self.postMessage(drawingOf(data)));
