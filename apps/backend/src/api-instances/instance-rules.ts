/** The port of an API is one that this machine can give it, as far as that can be known before it listens. */
import { createServer, isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { noPort } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { JudgeFields } from '../platform/kit';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';

/** The fields of an instance that are judged here. */
interface OwnPort {
  port: number;
  bindTo: string;
}

type OwnConfig = Pick<Config, 'PORT' | 'MAIL_PORT'>;

@Injectable()
export class InstanceRules {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(CONFIG) private readonly config: OwnConfig,
  ) {}

  readonly judge: JudgeFields = async (after, before) => {
    const { port, bindTo: address } = { ...noPort, ...(after as Partial<OwnPort>) };
    const isSamePort = before?.['port'] === port;
    if (isSamePort && before['bindTo'] === address) return;
    if (address !== '' && isIP(address) === 0)
      throw invalidField(
        'bindTo',
        'an IP address is expected, such as 127.0.0.1, or 0.0.0.0 for all of this machine',
      );
    if (port === 0) return;
    if (!isSamePort) await this.refuseKnown(port);
    // Its own process may have the port now, at the address before.
    const code = await problemOf(isSamePort ? 0 : port, address);
    if (code === 'EADDRNOTAVAIL')
      throw invalidField('bindTo', `${address} is no address of the machine on which this console runs`);
    if (code === 'EADDRINUSE')
      throw invalidField('port', `another program has port ${port} at ${address}: choose another one`);
    if (code !== undefined) throw invalidField('port', `port ${port} at ${address} cannot be used: ${code}`);
  };

  private async refuseKnown(port: number): Promise<void> {
    if (port === this.config.PORT || port === this.config.MAIL_PORT)
      throw invalidField('port', `port ${port} is that of this console: choose another one`);
    const { rows } = await this.db.query('select from read.api_instances where port = $1 limit 1', [port]);
    if (rows.length > 0) throw invalidField('port', `another API has port ${port}: choose another one`);
  }
}

/** @returns the system's word for why nobody can listen there */
const problemOf = (port: number, host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    server.listen({ port, host }, () => server.close(() => resolve(undefined)));
  });
