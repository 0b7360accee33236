/** Looks at the access logs of all sites once a minute while this process holds the lease. */
import { Inject, Injectable } from '@nestjs/common';
import type { DomainView, ServerView } from '@quarterdeck/projections';
import { LogAccess } from '../logs';
import { inView } from '../platform/in-view';
import { LeasedWork, Leases } from '../platform/leases';
import { shell, SshFailure } from '../platform/ssh';
import { CONFIG, DB, LOGGER } from '../platform/tokens';
import type { Config, Logger, Pool } from '../platform/tokens';
import { RunHosts } from '../runs';
import { siteLogFolder } from '../webserver';
import { DomainError } from '../platform/errors';
import { parseLooks } from './site-sums';
import sumUp from './sum-up.sh';
import { EVERY_SECONDS } from './traffic-history';
import { ageTraffic, insertLooks, placesOf } from './traffic-rows';

const AGEING_MS = 60 * 60_000;
const TIMEOUT_MS = 20_000;
/** Each of 500 sites with 50 files. */
const MAX_OUTPUT = 4 * 1024 * 1024;
const MAX_SITES = 500;
/** Of one site in a minute. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Servers at once: probes and operators use the others. */
const AT_ONCE = 4;

const askForSums = shell(sumUp, ['sites', 'known'], { max_bytes: MAX_BYTES });

const server = inView<ServerView>('s.view');
const domain = inView<DomainView>('d.view');

const SITES = `
  select s.workspace, s.id as server, ${server.text('root')} as root,
    (array_agg(jsonb_build_object('id', d.id, 'name', ${domain.text('serverName')}) order by d.id))[1:${MAX_SITES}] as sites
  from read.servers s join read.domains d on d.workspace = s.workspace and d."serverId" = s.id
  where ${server.text('health', 'state')} = 'reachable' and ${server.json('refusedHostKey')} is null
  group by s.workspace, s.id, s.view order by s.id`;

interface ServerWithSites {
  workspace: string;
  server: string;
  root: string;
  sites: { id: string; name: string }[];
}

@Injectable()
export class TrafficWatch extends LeasedWork {
  private timer: NodeJS.Timeout | undefined;
  private ageing: NodeJS.Timeout | undefined;
  private over = new AbortController();
  private round: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    private readonly access: LogAccess,
    private readonly hosts: RunHosts,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'site-traffic',
      what: 'the traffic of sites',
      isOn: config.HEALTH_CHECKS === 'on',
    });
  }

  protected begin(): void {
    this.over = new AbortController();
    const look = (): void => void this.lookAtAll();
    look();
    this.timer = setInterval(look, EVERY_SECONDS * 1000).unref();
    const age = (): void => void ageTraffic(this.db).catch(this.fault('the age of traffic'));
    age();
    this.ageing = setInterval(age, AGEING_MS).unref();
  }

  protected async cease(): Promise<void> {
    clearInterval(this.timer);
    clearInterval(this.ageing);
    this.over.abort();
    await this.round;
  }

  /** One round at a time: a slow one takes the place of the next. */
  lookAtAll(): Promise<void> {
    this.round = this.round.then(() => this.look()).catch(this.fault('the traffic of sites'));
    return this.round;
  }

  private async look(): Promise<void> {
    const { signal } = this.over;
    if (signal.aborted) return;
    const { rows } = await this.db.query<ServerWithSites>(SITES);
    const waiting = rows.values();
    const lane = async (): Promise<void> => {
      for (const one of waiting) {
        if (signal.aborted) return;
        // Its state of health says what is wrong with the server.
        await this.lookAt(one, signal).catch((error: unknown) => {
          if (!(error instanceof SshFailure || error instanceof DomainError || signal.aborted))
            this.fault('the traffic of the sites of a server')(error);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  private async lookAt(
    { workspace, server: id, root, sites }: ServerWithSites,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.hosts.access.pool.isFull(id)) return;
    const folders = new Map(
      sites.map((site) => [site.id, siteLogFolder({ serverName: site.name, folders: { root } })]),
    );
    const known = (await placesOf(this.db, id)).flatMap(({ domain: of, places }) =>
      places.length === 0
        ? [`${of} 0 0 none /`]
        : places.map(({ inode, from, state, path }) => `${of} ${inode} ${from} ${state} ${path}`),
    );
    let printed = '';
    const { exitCode, timedOut, aborted } = await this.access.run(
      { workspace, server: id },
      {
        ...askForSums({
          sites: [...folders].map((one) => one.join(' ')).join('\n'),
          known: known.join('\n'),
        }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_OUTPUT,
        signal,
        onBytes: (stream, bytes) => {
          if (stream === 'out') printed += bytes.toString('latin1');
        },
      },
    );
    // What was read is known only from a whole answer.
    if (timedOut || aborted || exitCode !== 0) return;
    const looks = parseLooks(Buffer.from(printed, 'latin1').toString(), folders);
    await insertLooks(this.db, { workspace, server: id, at: new Date().toISOString() }, looks);
  }

  private fault(what: string): (error: unknown) => void {
    return (error) => this.logger.warn({ err: error }, what);
  }
}
