/**
 * Raises alerts about the figures of servers, and ends them when the figures are good again. It follows the samples of each
 * server in their order. A process that takes over starts with earlier samples, so it misses no crossing.
 */
import { Measured, measuredCauses, type AlertView, type MeasuredCause } from '@quarterdeck/projections';
import { samplesAfter } from '../health';
import { inView } from '../platform/in-view';
import { alertIdOf } from './recorded-watch';
import { Watch, type DueAlert, type OpenAlert } from './watch';

const BEFORE_MS = 60 * 60_000;
/** Samples of one server in one look. A server is probed every 30 seconds by default. */
const MAX_AT_ONCE = 1000;

interface ListedServer {
  id: string;
  workspace: string;
  alias: string;
}
interface Followed {
  measured: Measured;
  /** Time of the newest sample that was taken in. */
  after: string;
}

const REASONS: Readonly<Record<MeasuredCause, string>> = {
  serverOverloaded: 'its load is normal again',
  memoryFull: 'it has enough free memory again',
  diskFull: 'it has enough free space again',
  nginxStopped: 'nginx runs again',
  dockerStopped: 'Docker runs again',
};

const ABOUT = inView<AlertView>('view').text('about');

/** The newest alert about each of the causes of these servers. */
const NEWEST = `
  select distinct on ("subjectId", ${ABOUT}) id, state, "subjectId" as subject, ${ABOUT} as about
  from read.alerts where "subjectId" = any($1) and ${ABOUT} = any($2)
  order by "subjectId", ${ABOUT}, "raisedPosition" desc`;

export class MeasuredWatch extends Watch {
  /** Probes come every 30 s by default. */
  protected readonly everyMs = 10_000;
  private followed = new Map<string, Followed>();

  protected async settle(): Promise<void> {
    const { rows: servers } = await this.deps.db.query<ListedServer>(
      'select id, workspace, alias from read.servers',
    );
    await this.follow(servers);
    const open = await this.openAlerts(measuredCauses);
    const wanted = new Map([...(await this.holding(servers)), ...this.unknown(open)]);
    await this.reconcile(open, wanted, (about) => REASONS[about as MeasuredCause]);
  }

  private async follow(servers: readonly ListedServer[]): Promise<void> {
    const before = new Date(Date.now() - BEFORE_MS).toISOString();
    this.followed = new Map(
      servers.map(({ id }) => [id, this.followed.get(id) ?? { measured: new Measured(), after: before }]),
    );
    const asked = [...this.followed].map(([server, { after }]) => ({ server, after }));
    const aliases = new Map(servers.map(({ id, alias }) => [id, alias]));
    for (const sample of await samplesAfter(this.deps.db, asked, MAX_AT_ONCE)) {
      const followed = this.followed.get(sample.server);
      if (!followed) continue;
      followed.measured.take(sample, aliases.get(sample.server) ?? '');
      followed.after = sample.at;
    }
  }

  private async holding(servers: readonly ListedServer[]): Promise<[string, DueAlert][]> {
    const holding = servers.flatMap((server) =>
      (this.followed.get(server.id)?.measured.open() ?? []).map((crossing) => ({ server, crossing })),
    );
    const { rows } = await this.deps.db.query<
      Pick<OpenAlert, 'id' | 'subject' | 'about'> & { state: string }
    >(NEWEST, [holding.map(({ server }) => server.id), measuredCauses]);
    return holding.map(({ server, crossing: { about, since, says, isFromStart } }) => {
      // It may have begun before the first sample that this process has seen. The alert is then the same one.
      const before = rows.find((one) => one.subject === server.id && one.about === about);
      const isSame = isFromStart && before !== undefined && before.state !== 'resolved';
      const subject = { kind: 'server', id: server.id, name: server.alias };
      const id = isSame ? before.id : alertIdOf(server.id, { about, since });
      return [id, { workspace: server.workspace, raised: { subject, about, since, says } }];
    });
  }

  /** Open alerts about servers of which the samples say nothing, such as while they are unreachable. */
  private unknown(open: readonly OpenAlert[]): [string, DueAlert][] {
    return open
      .filter(({ subject, about }) => {
        const followed = this.followed.get(subject);
        return followed !== undefined && !followed.measured.knows(about as MeasuredCause);
      })
      .map(({ id, workspace, subject, about }) => [
        id,
        { workspace, raised: { subject: { kind: 'server', id: subject, name: '' }, about, says: '' } },
      ]);
  }
}
