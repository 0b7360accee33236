/** Imports requests after a preview. */
import { Inject, Injectable } from '@nestjs/common';
import type { InputOf, requests } from '@quarterdeck/contract';
import { request, requestMethods, requestParam, type Position } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { DomainError, invalidField } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { threads } from '../platform/threads';
import { readImport } from './import.jobs';
import type { AcceptedImport } from './import-words';

/** A document of 2 MB takes about a second, and the thread has to begin. */
const READ_MS = 60_000;

type ImportInput = InputOf<typeof requests.import>;

@Injectable()
export class RequestImports {
  constructor(
    @Inject(recordsOf(request)) private readonly requests: PlainRecords,
    @Inject(recordsOf(requestParam)) private readonly params: PlainRecords,
  ) {}

  /** @throws DomainError on the text */
  async preview(source: 'curl' | 'openapi', text: string): Promise<AcceptedImport> {
    const found = await threads.run(readImport, { source, text }, { timeoutMs: READ_MS });
    if (found.is === 'refused') throw invalidField('text', found.reason);
    return found.imported;
  }

  /** A repeated call adds nothing twice. @throws DomainError that names the request */
  async add(
    { requests: all, collection }: ImportInput,
    meta: CommandMeta,
  ): Promise<{ ids: string[]; position: Position }> {
    const ids: string[] = [];
    let position: Position = '0';
    for (const [
      at,
      { params, method, description = '', body = '', host = '', url = '', name },
    ] of all.entries()) {
      const own = (what: string): CommandMeta => ({
        ...meta,
        keyed: true,
        commandId: uuidv5(`${at} ${what}`, meta.commandId),
      });
      const fields = {
        name,
        host,
        url,
        description,
        body,
        collection: collection ?? null,
        method: { id: requestMethods.indexOf(method) + 1 },
        product: null,
        checks: '',
        sequence: at + 1,
      };
      const added = await this.requests.add(fields, undefined, own('request')).catch(named(`requests.${at}`));
      for (const [index, param] of params.entries())
        ({ position } = await this.params
          .add(paramOf(param), added.id, own(`param ${index}`))
          .catch(named(`requests.${at}.params.${index}`)));
      if (params.length === 0) ({ position } = added);
      ids.push(added.id);
    }
    return { ids, position };
  }
}

const paramOf = ({
  name,
  location,
  dataType,
  isOptional,
  value,
}: ImportInput['requests'][number]['params'][number]) => ({
  inOrOut: true,
  input: { name, paramType: { id: location } },
  output: null,
  value,
  isOptional,
  dataType: { id: dataType },
});

/** The same refusal, with the place of what was refused. */
const named =
  (place: string) =>
  (error: unknown): never => {
    if (!(error instanceof DomainError) || !error.data) throw error;
    const data = Object.fromEntries(Object.entries(error.data).map(([key, why]) => [`${place}.${key}`, why]));
    throw new DomainError(error.code, error.msg, data);
  };
