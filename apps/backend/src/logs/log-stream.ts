/** Followed logs, for the socket. Browsers that follow the same log share its reader. */
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { LogPush } from '@quarterdeck/contract';
import { logFollow, logKey, MAX_LOGS_AT_ONCE } from '@quarterdeck/events/inputs';
import { DomainError } from '../platform/errors';
import type { LiveStream } from '../platform/live';
import { LogAccess } from './log-access';
import { LogReader } from './log-reader';

const MAX_READERS = 200;

@Injectable()
export class LogStream implements OnApplicationShutdown {
  private readonly readers = new Map<string, { server: string; reader: LogReader }>();

  constructor(private readonly access: LogAccess) {}

  get stream(): LiveStream<typeof logFollow, LogPush> {
    return {
      name: 'log',
      access: 'admin',
      input: logFollow,
      follow: async ({ workspace }, { server: { id: server }, source, from }, sink) => {
        // What is wrong with the question is answered before anything begins.
        await this.access.logOf({ workspace, server, source });
        const key = `${workspace} ${server} ${logKey(source)}`;
        return this.readerOf(key, { workspace, server, source }).follow(sink, from);
      },
    };
  }

  removed(server: string): void {
    for (const one of this.readers.values()) if (one.server === server) one.reader.end();
  }

  async onApplicationShutdown(): Promise<void> {
    const all = [...this.readers.values()].map(({ reader }) => reader);
    for (const reader of all) reader.end();
    await Promise.allSettled(all.map(({ ended }) => ended));
  }

  private readerOf(key: string, of: ConstructorParameters<typeof LogReader>[0]): LogReader {
    const known = this.readers.get(key)?.reader;
    if (known && !known.isEnding) return known;
    const running = [...this.readers.values()].filter(({ reader }) => !reader.isEnding);
    if (running.filter(({ server }) => server === of.server).length >= MAX_LOGS_AT_ONCE)
      throw new DomainError(
        'tooMany',
        `${MAX_LOGS_AT_ONCE} logs of this server are being followed already. Close one of them first.`,
      );
    if (running.length >= MAX_READERS)
      throw new DomainError('tooMany', `${MAX_READERS} logs are being followed already. Try again later.`);
    const reader: LogReader = new LogReader(of, this.access, () => {
      if (this.readers.get(key)?.reader === reader) this.readers.delete(key);
    });
    this.readers.set(key, { server: of.server, reader });
    return reader;
  }
}
