/**
 * Raises an alert when a deployed service does not serve in two probes of its server in a row, and ends it when it serves
 * again, when another version does, or when it was stopped. An alert belongs to one release: a dismissed one stays so.
 */
import {
  type AlertView,
  verdictOfService,
  type ServiceState,
  type StoredDeploy,
} from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { inView } from '../platform/in-view';
import { Watch } from './watch';

const NAMESPACE = '3c1f4d0a-9f63-4f5e-8a55-0f1b7f3e6c29';

const release = inView<StoredDeploy>('r.view');
const alert = inView<AlertView>('view');

/** Each service that serves on a server, with what the newest two probes since then found, newest first. */
const PROBED = `
  select r.workspace, r.id as release, r."serviceId" as service, ${release.text('service', 'name')} as name,
    ${release.text('server', 'name')} as server,
    array(select h.services->>r."serviceId" from app.health_samples h
      where h.server = r."serverId"::uuid and h.ok and h.at > ${release.text('served', 'at')}::timestamptz
      order by h.at desc limit 2) as states
  from (select distinct on ("serviceId", "serverId") * from read.releases
    where "servedAt" is not null order by "serviceId", "serverId", "servedAt" desc) r
  join read.services s on s.workspace = r.workspace and s.id = r."serviceId"
  join read.servers v on v.workspace = r.workspace and v.id = r."serverId"
  where ${release.json('stopped')} is null`;

interface Probed {
  workspace: string;
  release: string;
  service: string;
  name: string;
  server: string;
  states: (ServiceState | null)[];
}

const isBad = (state: ServiceState | null | undefined): state is ServiceState =>
  state !== null && state !== undefined && state !== 'serving';

const alertId = ({ release: of }: Probed): string => uuidv5(of, NAMESPACE);

export class ServiceWatch extends Watch {
  /** Probes come every 30 s by default. */
  protected readonly everyMs = 10_000;
  protected override readonly after = ['ReleaseServed', 'ReleaseStopped'];
  protected override readonly isDueAtStart = false;

  protected async settle(): Promise<void> {
    const { rows } = await this.deps.db.query<Probed>(PROBED);
    const open = await this.deps.db.query<{ id: string; workspace: string }>(
      `select id, workspace from read.alerts where state = 'open' and ${alert.text('about')} = 'serviceDown'`,
    );
    const opened = new Set(open.rows.map(({ id }) => id));
    const probed = new Map(rows.map((one) => [alertId(one), one]));
    for (const { id, workspace } of open.rows) {
      const one = probed.get(id);
      const reason = one ? 'it serves again' : 'another version serves, or it was stopped';
      if (!one || one.states[0] === 'serving') await this.resolve(id, reason, workspace);
    }
    for (const [id, { workspace, service, name, server, states }] of probed) {
      const [newest, before] = states;
      if (opened.has(id) || !isBad(newest) || !isBad(before)) continue;
      const subject = { kind: 'service', id: service, name };
      const says = `${name} ${verdictOfService(newest).label} on ${server}.`;
      const raised = { subject, about: 'serviceDown', says } as const;
      await this.raise(id, raised, workspace);
    }
  }
}
