/** Items that need attention in a workspace: records with a bad verdict, and alerts. The worst first. Pure. */
import { z } from 'zod';
import { isStanding, severityOf } from './alert-severity';
import type { AlertView } from './alerts';
import {
  certificateStateOf,
  domainVerdict,
  siteStateOf,
  verdictRank,
  type JudgedDomain,
} from './domain-verdict';
import { couldNotConnect, runReason, runTitle, runVerdict } from './run-verdict';
import type { RunView } from './runs';
import {
  serverVerdict,
  serverVerdicts,
  type JudgedServer,
  type Probed,
  type ServerState,
} from './server-verdict';

export const attentionItem = z
  .strictObject({
    kind: z.enum(['server', 'domain', 'run', 'fleet', 'alert']),
    id: z.string(),
    name: z.string(),
    /** All its problems, in words. The duration is not included: see `since`. */
    label: z.string(),
    tone: z.enum(['bad', 'warn']),
    /** The part that needs action. */
    part: z.enum(['reach', 'hostKey', 'load', 'dns', 'site', 'certificate', 'config', 'run', 'alert']),
    /** Since when a server is unreachable. */
    since: z.string().optional(),
    /** When a run ended, or an alert was raised. */
    at: z.string().optional(),
    /** Numbers of domains and runs that fail only because of this server. They are not listed separately. */
    affects: z.strictObject({ domains: z.number(), runs: z.number() }).optional(),
  })
  .meta({ id: 'AttentionItem' });
export interface AttentionItem extends z.infer<typeof attentionItem> {}

export interface Judged {
  servers: readonly (JudgedServer & { id: string; alias: string; newest?: Probed | undefined })[];
  domains: readonly (JudgedDomain & { id: string; serverId?: string })[];
  /** The newest run of each piece of work that ended recently. `times`: how often it ended so in a row. */
  runs: readonly (RunView & { times?: number })[];
  alerts: readonly AlertView[];
  now: number;
  expiringDays?: number | undefined;
}

const pressing = (tone: string): tone is AttentionItem['tone'] => tone === 'bad' || tone === 'warn';

const serverParts: Partial<Record<ServerState, AttentionItem['part']>> = {
  hostKeyChanged: 'hostKey',
  unreachable: 'reach',
  notReached: 'reach',
};

const serverItems = ({ servers, now }: Judged): AttentionItem[] =>
  servers.flatMap(({ id, alias, newest, ...server }) => {
    const { is, tone, since } = serverVerdict(server, { now, newest });
    if (!pressing(tone)) return [];
    const { label } = serverVerdicts[is];
    const part = serverParts[is] ?? 'load';
    return [{ kind: 'server', id, name: alias, label, tone, part, ...(since !== undefined && { since }) }];
  });

/** Whether the domain's only problem is that its server does not answer. */
const isOfServer = (domain: JudgedDomain, asOf: { now: number; expiringDays?: number | undefined }) =>
  domainVerdict(domain, asOf).reasons.some(({ part }) => part === 'certificate' || part === 'site') &&
  domainVerdict(domain, asOf).reasons.every(
    ({ part }) =>
      (part === 'certificate' && certificateStateOf(domain, asOf) === 'unreachable') ||
      (part === 'site' && ['silent', 'tlsGone'].includes(siteStateOf(domain))),
  );

/** Removes domains and runs that fail because of their server, and counts them in the server's item instead. */
const byCause = (judged: Judged, servers: readonly AttentionItem[]) => {
  const down = new Map(
    servers
      .filter(({ part }) => part === 'reach' || part === 'hostKey')
      .map((item) => [item.id, { item, domains: 0, runs: 0 }]),
  );
  const domains = judged.domains.filter((domain) => {
    const cause = isOfServer(domain, judged) ? down.get(domain.serverId ?? '') : undefined;
    if (cause) cause.domains += 1;
    return !cause;
  });
  const runs = judged.runs.filter((run) => {
    const cause = couldNotConnect(run) ? down.get(run.serverId) : undefined;
    if (cause) cause.runs += 1;
    return !cause;
  });
  const listed = servers.map((item): AttentionItem => {
    const { domains: sites = 0, runs: failed = 0 } = down.get(item.id) ?? {};
    return sites + failed === 0 ? item : { ...item, affects: { domains: sites, runs: failed } };
  });
  return { servers: listed, judged: { ...judged, domains, runs } };
};

const domainItems = ({ domains, now, expiringDays }: Judged): AttentionItem[] =>
  domains.flatMap((domain) => {
    const { reasons, tone } = domainVerdict(domain, { now, expiringDays });
    const [worst] = reasons;
    if (!worst || !pressing(tone)) return [];
    const label = reasons.map((reason) => reason.label).join(', ');
    return [{ kind: 'domain', id: domain.id, name: domain.serverName, label, tone, part: worst.part }];
  });

/** Runs of one name about one thing that ended for the same reason are one item, the newest of them. */
const runItems = ({ runs }: Judged): AttentionItem[] => {
  const newest = new Map<string, Ended>();
  for (const { times = 1, ...run } of runs) {
    const key = JSON.stringify([
      run.kind,
      runTitle(run),
      run.state,
      runReason(run),
      run.subject.id,
      run.serverId,
    ]);
    const same = newest.get(key) ?? { run, times: 0 };
    newest.set(key, { run: endOf(same.run) > endOf(run) ? same.run : run, times: same.times + times });
  }
  return onServers([...newest.values()]).flatMap(({ run, times, servers }): AttentionItem[] => {
    const { is, label: state, tone } = runVerdict(run);
    if (!pressing(tone)) return [];
    const reason = runReason(run);
    const again = is === 'partial' ? `, attempt ${times}` : ` ${times} times`;
    const often = times === 1 ? state : state + again;
    const label = reason === undefined ? often : `${often}: ${reason}`;
    const kind = run.kind === 'fleet' ? 'fleet' : 'run';
    const name = servers > 1 ? `${run.label} on ${servers} servers` : runTitle(run);
    return [{ kind, id: run.id, name, label, tone, part: 'run', at: endOf(run) }];
  });
};

/** The same failure on several servers is one item, the newest of them. */
const onServers = (all: readonly Ended[]): (Ended & { servers: number })[] => {
  const alike = new Map<string, Ended & { servers: number }>();
  for (const { run, times } of all) {
    const reason = run.subject.kind === 'server' ? runReason(run) : undefined;
    const key = reason === undefined ? run.id : JSON.stringify([run.kind, run.label, reason, times]);
    const { run: other = run, servers = 0 } = alike.get(key) ?? {};
    alike.set(key, { run: endOf(other) > endOf(run) ? other : run, times, servers: servers + 1 });
  }
  return [...alike.values()];
};

interface Ended {
  run: RunView;
  times: number;
}

const endOf = ({ endedAt, requestedAt }: RunView): string => endedAt ?? requestedAt;

/** Skips alerts about domains that are listed already, and test alerts, which concern only their sender. */
const alertItems = ({ alerts }: Judged, listed: ReadonlySet<string>): AttentionItem[] =>
  alerts
    .filter((alert) => isStanding(alert) && !listed.has(alert.subjectId))
    .map(({ id, subject, says, raisedAt, ...alert }) => ({
      kind: 'alert',
      id,
      name: subject.name,
      label: says,
      tone: severityOf(alert) === 'critical' ? 'bad' : 'warn',
      part: 'alert',
      at: raisedAt,
    }));

export const attentionOf = (judged: Judged): AttentionItem[] => {
  const { servers, judged: rest } = byCause(judged, serverItems(judged));
  const things = [...servers, ...domainItems(rest), ...runItems(rest)];
  const listed = new Set(things.map(({ id }) => id));
  return [...things, ...alertItems(judged, listed)].toSorted((a, b) => verdictRank(a) - verdictRank(b));
};
