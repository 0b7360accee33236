/** Raises alerts about what the records of servers and sites say, and ends them when they say it no longer. */
import {
  illsOfDomain,
  illsOfServer,
  type DomainView,
  type Ill,
  type ServerView,
} from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { inView } from '../platform/in-view';
import { Watch, type DueAlert } from './watch';

const NAMESPACE = 'd2f0b0f5-8a2d-4c39-8d1c-3a1f6a6f9b52';

const server = inView<ServerView>('view');

const SERVERS = `
  select view from read.servers
  where ${server.json('refusedHostKey')} is not null or ${server.text('health', 'state')} = 'unreachable'`;
const domain = inView<DomainView>('view');
const DOMAINS = `
  select view from read.domains where ${domain.json('drift')} is not null or ${domain.json('away')} is not null`;

const REASONS = {
  serverUnreachable: 'it is reachable again, or was removed',
  hostKeyChanged: 'it shows the known host key again, or the new one was accepted',
  configDrifted: 'the file is the applied one again',
  dnsMoved: 'it leads to its server again, or was moved, renamed or removed',
} as const;
type About = keyof typeof REASONS;

export const alertIdOf = (subject: string, { about, since }: Pick<Ill, 'about' | 'since'>): string =>
  uuidv5(`${about} ${subject} ${since}`, NAMESPACE);

export class RecordedWatch extends Watch {
  /** A fallback only: events trigger the look whenever something has changed. */
  protected readonly everyMs = 5 * 60_000;
  protected override readonly after = [
    'ServerHealthChanged',
    'ServerHostKeyRefused',
    'ServerHostKeyReturned',
    'ServerHostKeyAccepted',
    'ServerHostKeyPinned',
    'ServerMoved',
    'ServerRemoved',
    'ServerRestored',
    'DnsAnswerChanged',
    'SiteConfigDrifted',
    'SiteConfigReturned',
    'SiteConfigAdopted',
    'SiteConfigApplied',
    'SiteConfigRemoved',
    'DomainMoved',
    'DomainRenamed',
    'DomainRemoved',
    'DomainRestored',
  ];

  protected async settle(): Promise<void> {
    const { db } = this.deps;
    const servers = await db.query<{ view: ServerView }>(SERVERS);
    const domains = await db.query<{ view: DomainView }>(DOMAINS);
    const found = [
      ...servers.rows.map(({ view }) => ({
        view,
        kind: 'server',
        name: view.alias,
        ills: illsOfServer(view),
      })),
      ...domains.rows.map(({ view }) => ({
        view,
        kind: 'domain',
        name: view.serverName,
        ills: illsOfDomain(view),
      })),
    ];
    const wanted = new Map(
      found.flatMap(({ view: { id, workspace }, kind, name, ills }) =>
        ills.map((ill): [string, DueAlert] => [
          alertIdOf(id, ill),
          { workspace, raised: { subject: { kind, id, name }, ...ill } },
        ]),
      ),
    );
    const open = await this.openAlerts(Object.keys(REASONS) as About[]);
    await this.reconcile(open, wanted, (about) => REASONS[about as About]);
  }
}
