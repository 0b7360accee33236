/** Calls that connect to product databases. */
import { Controller, Header } from '@nestjs/common';
import { databases, type InputOf } from '@quarterdeck/contract';
import { inWords } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import { sameData } from '../platform/same-data';
import { Answers, type Asker, written } from '../platform/http';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DatabaseConnections, type DatabaseAccess } from './database-connections';
import { checkIdentity, checkReached } from './database-rules';
import { DatabaseWork } from './database-work';

@Controller()
export class DatabasesController {
  constructor(
    private readonly work: DatabaseWork,
    private readonly connections: DatabaseConnections,
  ) {}

  @Answers(databases.test)
  async test({ id, runId: chosen }: InputOf<typeof databases.test>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { found, position } = await this.work.test(id, runId, meta);
    return written({ ...found, runId }, position);
  }

  @Answers(databases.try)
  @Header('cache-control', 'no-store')
  async try({ id, data }: InputOf<typeof databases.try>, { meta }: Asker) {
    const { clientCertificate, ...others } = data as Partial<DatabaseAccess>;
    // `null` is none; what is absent is the stored one.
    const own = clientCertificate === undefined ? {} : { clientCertificate: clientCertificate ?? '' };
    const access: Partial<DatabaseAccess> = { ...others, ...own };
    checkReached(access);
    checkIdentity(access);
    return this.work.try(await this.completed(id, access, meta), meta);
  }

  @Answers(databases.create)
  async create(
    { id, administrator, keepUser = false, runId: chosen }: InputOf<typeof databases.create>,
    { meta }: Asker,
  ) {
    const runId = chosen ?? idFor('run', meta);
    const { username, password = '' } = administrator;
    const { position } = await this.work.create(id, runId, { username, password, keepUser }, meta);
    return written({ runId }, position);
  }

  /**
   * An edit without a secret uses the stored one. It is sent only to the place for which it was stored: another place
   * could read it without leaving any record, and so could the network with less encryption.
   */
  private async completed(
    id: string | undefined,
    data: Partial<DatabaseAccess>,
    { workspace }: CommandMeta,
  ): Promise<DatabaseAccess> {
    const missing = (['password', 'clientCertificate'] as const).filter((key) => data[key] === undefined);
    if (id === undefined) {
      if (data.password === undefined) throw invalidField('data.password', 'This field is required');
      return { ...(data as DatabaseAccess), clientCertificate: data.clientCertificate ?? '' };
    }
    const before = await this.connections.access(id, workspace);
    const isSamePlace = sameData(placeOf(data), placeOf(before));
    const stored = missing.find((key) => before[key] !== '');
    if (!isSamePlace && stored !== undefined)
      throw invalidField(
        `data.${stored}`,
        `type the ${inWords(stored)}: the stored one is only sent where it was stored for`,
      );
    return { ...(data as DatabaseAccess), ...Object.fromEntries(missing.map((key) => [key, before[key]])) };
  }
}

const placeOf = ({ host, port, certificate, server, encryption = 'automatic' }: Partial<DatabaseAccess>) => ({
  host,
  port,
  certificate,
  encryption,
  server: server?.id,
});
