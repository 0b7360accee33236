/** Which logs a server has. */
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, logs } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import type { LogSource } from '@quarterdeck/events/inputs';
import { domainDetail, listDomainsOfServer } from '../domains';
import { detailOf, listOf } from '../platform/kit';
import { fixedShell, plain, SshFailure } from '../platform/ssh';
import { DB, type Pool } from '../platform/tokens';
import { LogAccess } from './log-access';
import sources from './shell/sources.sh';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 1024 * 1024;

const askForLogs = fixedShell(sources);

type Logs = Answer<typeof logs.sources>;
type ListedLog = Logs['sources'][number];

const both = ['access', 'error'] as const;

/** Pure. */
export const listedLogs = (printed: string, services: ReadonlySet<string>): Logs => {
  const all: ListedLog[] = [];
  const problems: string[] = [];
  for (const line of printed.split('\n')) {
    const [, what, rest = ''] = /^([a-z]+) (.*)$/.exec(line) ?? [];
    const [name = '', state = '', of = ''] = rest.split('|');
    if (what === 'problem') problems.push(plain(rest.trim()).slice(0, 500));
    else if (what === 'unit') all.push({ source: { kind: 'unit', name }, name, state });
    else if (what === 'nginx' && (name === 'access' || name === 'error'))
      all.push({ source: { kind: 'nginx', log: name }, name: `nginx ${name}` });
    else if (what === 'container') {
      const source: LogSource = { kind: 'container', name };
      all.push({ source, name, ...(state !== '' && { state }) });
      if (services.has(of) && !all.some(({ source: one }) => one.kind === 'service' && one.id === of))
        all.push({ source: { kind: 'service', id: of }, name: of });
    }
  }
  return { sources: all, problems };
};

@Injectable()
export class LogList {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly access: LogAccess,
  ) {}

  /** @throws DomainError `notFound` */
  async of(server: string, workspace: string): Promise<Logs> {
    await this.access.server({ server, workspace });
    const [domains, services, printed] = await Promise.all([
      listDomainsOfServer(this.db, workspace, server),
      listOf(service, this.db, workspace),
      this.ask(server, workspace),
    ]);
    const names = new Map(services.map((one) => [String(one['id']), String(one['name'])]));
    const { sources: there, problems } = listedLogs(printed.out, new Set(names.keys()));
    const sites = domains.flatMap(({ domain: { id, serverName } }): ListedLog[] =>
      both.map((log) => ({ source: { kind: 'site', id, log }, name: `${serverName} ${log}` })),
    );
    const named = there.map((one) =>
      one.source.kind === 'service' ? { ...one, name: names.get(one.source.id) ?? one.name } : one,
    );
    return {
      sources: [...named, ...sites],
      problems: printed.problem === undefined ? problems : [printed.problem],
    };
  }

  /** As shown to people. */
  async nameOf(source: LogSource, workspace: string): Promise<string> {
    if (source.kind === 'nginx') return `nginx ${source.log}`;
    if (source.kind === 'site') {
      const found = await domainDetail(this.db, workspace, source.id);
      return `${found?.serverName ?? 'site'} ${source.log}`;
    }
    if (source.kind !== 'service') return source.name;
    const found = await detailOf(service, this.db, workspace, source.id);
    return found === undefined ? 'service' : String(found['name']);
  }

  /** What the console knows of a server that does not answer is shown nevertheless. */
  private async ask(server: string, workspace: string): Promise<{ out: string; problem?: string }> {
    let out = '';
    try {
      await this.access.run(
        { server, workspace },
        {
          ...askForLogs,
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_BYTES,
          onBytes: (stream, bytes) => {
            if (stream === 'out') out += bytes.toString();
          },
        },
      );
      return { out };
    } catch (error) {
      if (!(error instanceof SshFailure)) throw error;
      return { out, problem: error.msg };
    }
  }
}
