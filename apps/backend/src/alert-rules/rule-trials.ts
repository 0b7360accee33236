/**
 * When a rule would have told in the past. What probes and events recorded is taken in by the functions that also watch it
 * now, in small pieces, so that other requests are served in between.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { alertRule, streamName, streamParts, type AlertCause, type LoggedEvent } from '@quarterdeck/events';
import {
  crossingsIn,
  domains,
  illsOfDomain,
  illsOfServer,
  isCovered,
  Measured,
  measuredCauses,
  momentsOf,
  servers,
  severityOf,
  tellingOf,
  type Crossing,
  type MaintenanceTimes,
  type RuleFields,
  type TriedMoment,
  type TriedRule,
} from '@quarterdeck/projections';
import { maintenanceWindows } from '../alerts';
import { changesAfter } from '../health';
import { present } from '../platform/as-of';
import { notFound } from '../platform/errors';
import { detailOf } from '../platform/kit';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { recordedAlerts, thingsOf, type PastCrossing, type Thing } from './past-things';

const DAY_MS = 24 * 60 * 60_000;
export const TRIED_DAYS = 30;
/** Looks further back than the range: a cause may hold since before it, and a rule may wait for up to a day. */
const BEFORE_MS = DAY_MS + 60 * 60_000;
const AT_ONCE = 1000;
/** Of all servers together: 30 days of 11 servers that are probed every 30 seconds. */
const MAX_LOOKED = 1_000_000;
const MAX_MOMENTS = 200;
/** Somebody waits for the answer. The last server that is begun adds its own time. */
const MAX_PROBES_MS = 1500;

/** Causes of which more than their alerts is recorded. */
const causesOf: Readonly<Record<Thing['kind'], readonly AlertCause[]>> = {
  server: ['serverUnreachable', 'hostKeyChanged'],
  domain: ['configDrifted', 'dnsMoved'],
};
const fromFacts: ReadonlySet<AlertCause> = new Set([
  ...causesOf.server,
  ...causesOf.domain,
  ...measuredCauses,
]);

@Injectable()
export class RuleTrials {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** @throws DomainError `notFound` */
  async try(id: string, workspace: string): Promise<TriedRule> {
    const rule = (await detailOf(alertRule, this.db, workspace, id)) as unknown as RuleFields | undefined;
    if (!rule) throw notFound('alert rule');
    return this.tryRule(rule, workspace);
  }

  /** Of a rule that need not be saved. */
  async tryRule(rule: RuleFields, workspace: string): Promise<TriedRule> {
    const now = present();
    const from = new Date(now.getTime() - TRIED_DAYS * DAY_MS);
    const before = new Date(from.getTime() - BEFORE_MS).toISOString();
    const things = await thingsOf(this.db, workspace);
    const windows = await maintenanceWindows(this.db, workspace);
    const recorded = await recordedAlerts(
      this.db,
      { workspace, from: before, limit: MAX_LOOKED },
      { things, isWanted: (about) => !fromFacts.has(about) },
    );
    const events = await this.byEvents(rule, things);
    const probes = await this.byProbes(rule, things, { before, limit: MAX_LOOKED - recorded.looked });
    const isInRange = (at: string): boolean => at >= from.toISOString();
    const moments: TriedMoment[] = [];
    let crossings = 0;
    for (const [nth, crossing] of [
      ...recorded.crossings,
      ...events.crossings,
      ...probes.crossings,
    ].entries()) {
      if (nth % AT_ONCE === 0) await turn();
      if (!isCovered(rule, crossing)) continue;
      if (isInRange(crossing.since)) crossings += 1;
      moments.push(...momentsIn(rule, crossing, windows, now).filter(({ at }) => isInRange(at)));
    }
    moments.sort((a, b) => (a.at < b.at ? -1 : 1));
    return {
      from: from.toISOString(),
      to: now.toISOString(),
      count: moments.length,
      moments: moments.slice(-MAX_MOMENTS),
      crossings,
      looked: recorded.looked + events.looked + probes.looked,
      ...(probes.isPartial && { isPartial: true }),
    };
  }

  private async byEvents(rule: RuleFields, things: readonly Thing[]) {
    const asked = things.filter((thing) =>
      causesOf[thing.kind].some((about) => mayCover(rule, thing, about)),
    );
    const streams = asked.map(({ kind, id }) => streamName(kind, id));
    const eventsOf = new Map<string, LoggedEvent[]>();
    let looked = 0;
    for await (const page of this.store.readStreams(streams)) {
      for (const event of page as LoggedEvent[]) {
        const { id } = streamParts(event.stream);
        const before = eventsOf.get(id);
        if (before) before.push(event);
        else eventsOf.set(id, [event]);
      }
      looked += page.length;
      await turn();
    }
    const crossings: PastCrossing[] = [];
    for (const thing of asked) {
      const events = eventsOf.get(thing.id) ?? [];
      const found =
        thing.kind === 'server'
          ? crossingsIn(thing.id, { events, evolve: servers.evolve, illsOf: illsOfServer })
          : crossingsIn(thing.id, { events, evolve: domains.evolve, illsOf: illsOfDomain });
      crossings.push(...found.map((crossing) => placed(thing, crossing)));
      await turn();
    }
    return { crossings, looked };
  }

  private async byProbes(
    rule: RuleFields,
    things: readonly Thing[],
    { before, limit }: { before: string; limit: number },
  ) {
    const asked = things.filter(
      (thing) => thing.kind === 'server' && measuredCauses.some((about) => mayCover(rule, thing, about)),
    );
    const crossings: PastCrossing[] = [];
    let looked = 0;
    let isPartial = false;
    const until = Date.now() + MAX_PROBES_MS;
    for (const thing of asked) {
      const measured = new Measured();
      if (looked >= limit || Date.now() >= until) {
        isPartial = true;
        break;
      }
      const left = limit - looked;
      const changes = await changesAfter(this.db, { server: thing.id, after: before, limit: left });
      for (const sample of changes.samples) measured.take(sample, thing.name);
      looked += changes.looked;
      // Nobody knows whether what holds where it stopped held any longer.
      const end = changes.looked < left ? undefined : changes.last;
      isPartial ||= end !== undefined;
      await turn();
      crossings.push(
        ...measured.crossings.map((one) => placed(thing, end === undefined ? one : { until: end, ...one })),
      );
    }
    return { crossings, looked, isPartial };
  }
}

const placed = ({ kind, id, name, server }: Thing, crossing: Crossing): PastCrossing => ({
  ...crossing,
  subject: { kind, id, name },
  server,
});

const mayCover = (rule: RuleFields, { kind, id, server }: Thing, about: AlertCause): boolean =>
  isCovered(rule, { about, subject: { kind, id }, server });

const momentsIn = (
  rule: RuleFields,
  crossing: PastCrossing,
  windows: readonly MaintenanceTimes[],
  now: Date,
): TriedMoment[] => {
  const { about, subject, says, since, until, threshold } = crossing;
  return momentsOf(tellingOf(rule, crossing, windows), crossing, now).map((at, nth) => ({
    at,
    about,
    severity: severityOf({ about, threshold }),
    subject,
    says,
    since,
    ...(until !== undefined && { until }),
    ...(nth > 0 && { again: true as const }),
  }));
};
