/** Sends a request of an operator to an endpoint, who acts as somebody with a permission. */
import { request as ask } from 'node:http';
import { toUSVString } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { isWriting, parametersOf, type Endpoint } from '@quarterdeck/api';
import type { InputOf, TriedEndpoint, apiInstances } from '@quarterdeck/contract';
import { endpoint, type Position } from '@quarterdeck/events';
import { ApiLibrary, endpointOf } from '../api-instances';
import { Instants } from '../platform/as-of';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { ApiSources } from './api-sources';
import { ANSWERS_BY } from './child/kept-definitions';
import { ACTS_AS } from './child/users';
import { orUnavailable } from './unavailable';
import { ServedApis } from './served-apis';

type Try = InputOf<typeof apiInstances.try>;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly as: Try['as'];
  readonly body: string | undefined;
  /** Key of a kept definition. Absent: the present one answers. */
  readonly answersBy?: string;
}

const ANSWER_MS = 30_000;
const SHOWN_BYTES = 256 * 1024;
const SHOWN_HEADERS = ['x-definition', 'retry-after', 'www-authenticate'] as const;
const READING = ['list', 'detail'];

@Injectable()
export class Tries {
  constructor(
    private readonly apis: ServedApis,
    private readonly sources: ApiSources,
    private readonly instants: Instants,
    private readonly library: ApiLibrary,
    @Inject(recordsOf(endpoint)) private readonly endpoints: PlainRecords,
  ) {}

  /**
   * With `at`, the definition of that instant answers, with the rows of today.
   *
   * @returns `position` of the record, if there is one
   * @throws DomainError `unavailable` if the API cannot answer at the moment
   */
  async send(
    given: Try,
    meta: CommandMeta,
  ): Promise<{ tried: TriedEndpoint; position: Position | undefined }> {
    const { id: instance } = await this.library.instance(given.instance.uuid, meta.workspace);
    const { uuid: id } = given.endpoint;
    if (given.at !== undefined)
      return { tried: await this.sendAt(given.at, instance, given, meta.workspace), position: undefined };
    const all = await this.library.endpoints(instance, meta.workspace);
    const found = all.find((one) => one.id === id);
    if (!found) throw notFound('endpoint');
    const sent = sentTo(endpointOf(found), given);
    // Before it is sent: what changed rows is recorded, whatever happens then.
    const position = mayChangeRows(found.blocks)
      ? (await this.endpoints.perform('tried', id, { permission: given.as }, meta)).position
      : undefined;
    const api = await this.apis.of(instance);
    return { tried: await orUnavailable(api.use((socket) => answerTo(socket, sent))), position };
  }

  /** Changes nothing. */
  private async sendAt(at: string, instance: string, given: Try, workspace: string): Promise<TriedEndpoint> {
    const instant = await this.instants.resolve(at, workspace);
    const description = await this.sources.describeAt(instance, instant).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'notFound')
        throw invalidField('at', 'this instance did not exist at this instant: choose a later one');
      throw error;
    });
    const found = description.endpoints.find(({ id }) => id === given.endpoint.uuid);
    if (!found) throw invalidField('at', 'this endpoint did not exist at this instant: choose another one');
    if (found.endpoint.blocks.some(isWriting))
      throw invalidField('at', 'it wrote at this instant: only what reads can be called as it was');
    const sent = sentTo(found.endpoint, given);
    const key = `${instant.position} ${found.id}`;
    const api = await this.apis.of(instance);
    return orUnavailable(
      api.useKept(key, { ...description, endpoints: [found] }, (socket) =>
        answerTo(socket, { ...sent, answersBy: key }),
      ),
    );
  }
}

const sentTo = ({ method, path }: Endpoint, { as, params, query, body }: Try): Sent => ({
  method,
  path: pathOf(path, params, query),
  as,
  body: body === undefined ? undefined : JSON.stringify(body),
});

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

const answerTo = (socketPath: string, { method, path, as, body, answersBy }: Sent): Promise<TriedEndpoint> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const asked = ask(
      {
        socketPath,
        method,
        path,
        headers: {
          [ACTS_AS]: as,
          ...(answersBy !== undefined && { [ANSWERS_BY]: answersBy }),
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
