/** Sends a request of an operator to an endpoint, who acts as somebody with a permission. */
import { request as ask } from 'node:http';
import { toUSVString } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { parametersOf } from '@quarterdeck/api';
import type { InputOf, TriedEndpoint, apiInstances } from '@quarterdeck/contract';
import { endpoint, type Position } from '@quarterdeck/events';
import { ApiLibrary } from '../api-instances';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { ACTS_AS } from './child/users';
import { NotServed } from './served-api';
import { ServedApis } from './served-apis';

type Try = InputOf<typeof apiInstances.try>;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly as: Try['as'];
  readonly body: string | undefined;
}

const ANSWER_MS = 30_000;
const SHOWN_BYTES = 256 * 1024;
const SHOWN_HEADERS = ['x-definition', 'retry-after', 'www-authenticate'] as const;
const READING = ['list', 'detail'];

@Injectable()
export class Tries {
  constructor(
    private readonly apis: ServedApis,
    private readonly library: ApiLibrary,
    @Inject(recordsOf(endpoint)) private readonly endpoints: PlainRecords,
  ) {}

  /**
   * @returns `position` of the record, if there is one
   * @throws DomainError `unavailable` if the API cannot answer at the moment
   */
  async send(
    { instance: { uuid }, endpoint: { uuid: id }, as, params, query, body }: Try,
    meta: CommandMeta,
  ): Promise<{ tried: TriedEndpoint; position: Position | undefined }> {
    const instance = await this.library.instance(uuid, meta.workspace);
    const all = await this.library.endpoints(instance.id, meta.workspace);
    const found = all.find((one) => one.id === id);
    if (!found) throw notFound('endpoint');
    const path = pathOf(found.path, params, query);
    const sent = {
      method: found.method,
      path,
      as,
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    // Before it is sent: what changed rows is recorded, whatever happens then.
    const position = mayChangeRows(found.blocks)
      ? (await this.endpoints.perform('tried', id, { permission: as }, meta)).position
      : undefined;
    const api = await this.apis.of(instance.id);
    try {
      return { tried: await api.use((socket) => answerTo(socket, sent)), position };
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const [message, retryAfter] =
        error instanceof NotServed
          ? [error.message, error.retryAfter]
          : ['this API ended before it answered: try again', 1];
      throw new DomainError('unavailable', message, undefined, { retryAfter });
    }
  }
}

/** A snippet may call blocks that write. */
const mayChangeRows = (blocks: readonly unknown[]): boolean =>
  blocks.some((block) => !READING.includes((block as { type: string }).type));

const pathOf = (path: string, params: Try['params'], query: Try['query']): string => {
  const missing = parametersOf(path).find((name) => !params[name]);
  if (missing !== undefined) throw invalidField(`params.${missing}`, 'This field is required');
  const filled = path.replaceAll(/:([A-Za-z]\w*)/g, (_, name: string) =>
    encodeURIComponent(toUSVString(params[name] as string)),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
};

const answerTo = (socketPath: string, { method, path, as, body }: Sent): Promise<TriedEndpoint> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const asked = ask(
      {
        socketPath,
        method,
        path,
        headers: {
          [ACTS_AS]: as,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
        timeout: ANSWER_MS,
      },
      (answer) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        const end = (): void => {
          const whole = Buffer.concat(parts);
          resolve({
            status: answer.statusCode ?? 503,
            headers: Object.fromEntries(
              SHOWN_HEADERS.flatMap((name) => {
                const value = answer.headers[name];
                return value === undefined ? [] : [[name, String(value)]];
              }),
            ),
            body: whole.subarray(0, SHOWN_BYTES).toString(),
            isCut: whole.length > SHOWN_BYTES,
            ms: Math.round((performance.now() - began) * 100) / 100,
          });
        };
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          if ((bytes += part.length) <= SHOWN_BYTES) return;
          end();
          asked.destroy();
        });
        answer.once('end', end).once('error', reject);
      },
    );
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.once('error', reject);
    asked.end(body);
  });
