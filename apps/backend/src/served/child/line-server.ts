/** The end of the line to the console in the process of an API. */
import type { Duplex } from 'node:stream';
import { Frames, PIECE_BYTES, type OfApi, type OfConsole } from '../line-frames';
import type { ApiAnswer, HeardRequest } from './api-server';

/** Answers until the console ends the line, and those requests that came before. */
export const serveLine = (stream: Duplex, answer: (request: HeardRequest) => Promise<ApiAnswer>): void => {
  /** What is left of answers, by the id of their request. */
  const rests = new Map<number, Buffer>();
  let underWay = 0;
  let isEnding = false;
  const endOnce = (): void => {
    if (!isEnding || underWay > 0 || rests.size > 0) return;
    frames.flush();
    stream.end();
  };
  const pieceOf = (id: number, body: Buffer): Buffer => {
    if (body.length > PIECE_BYTES) rests.set(id, body.subarray(PIECE_BYTES));
    else rests.delete(id);
    return body.subarray(0, PIECE_BYTES);
  };
  const frames = new Frames<OfApi, OfConsole>(stream, (heard, sent) => {
    const [is, id] = heard;
    const rest = rests.get(id);
    if (is === 'more' && rest) frames.send(['piece', id], pieceOf(id, rest));
    if (is === 'left') rests.delete(id);
    if (is !== 'ask') return endOnce();
    const [, , method, url, caller, authorization, contentType] = heard;
    underWay += 1;
    const request: HeardRequest = {
      method,
      url,
      caller,
      authorization: authorization ?? undefined,
      sent:
        sent.length === 0
          ? undefined
          : { contentType: contentType ?? '', bytes: sent.length, read: () => sent },
    };
    void answer(request).then(({ status, headers, text }) => {
      underWay -= 1;
      const body = Buffer.from(text);
      frames.send(['answer', id, status, body.length, headers], pieceOf(id, body));
      endOnce();
    });
  });
  stream.on('error', () => undefined);
  stream.once('end', () => {
    isEnding = true;
    endOnce();
  });
};
