/** Looks at every site over HTTP, while this process holds the lease. Changes are recorded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { streamParts } from '@quarterdeck/events';
import { Rounds, RoundsByLease, sitesToWatch, type SiteToWatch } from '../domains';
import { Leases } from '../platform/leases';
import { ProjectedEvents } from '../platform/live';
import { ownMeta } from '../platform/sessions';
import { CONFIG, DB, EVENT_STORE, LOGGER, PROJECTIONS } from '../platform/tokens';
import type { Config, EventStore, Logger, Pool, ProjectionRunner } from '../platform/tokens';
import { SiteLooks, type Looked } from './site-look-work';

/** Silent sites take seconds: a server with hundreds of them must not hold up the others. */
const AT_ONCE = 24;
/** A reload, or one lost packet, is no news. */
const SECOND_LOOK_MS = 2000;

type SiteRounds = Rounds<SiteToWatch, Looked | undefined>;

@Injectable()
export class SiteWatch extends RoundsByLease<SiteToWatch, Looked | undefined> {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly looks: SiteLooks,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'site-watch',
      what: 'the looks at sites',
      isOn: config.SITE_CHECKS === 'on',
    });
  }

  /** Rounds over the sites of all workspaces. */
  newRounds(): SiteRounds {
    const work = {
      due: () => sitesToWatch(this.db),
      ask: ({ id }: SiteToWatch, signal: AbortSignal) => this.look(id, signal),
      isFault: () => false,
      record: (_site: SiteToWatch, looked: Looked | undefined) => this.record(looked),
      onFault: (err: unknown) => this.logger.warn({ err }, 'a look at a site'),
    };
    return new Rounds(work, this.config.SITE_CHECK_SECONDS * 1000, AT_ONCE);
  }

  private async look(id: string, signal: AbortSignal): Promise<Looked | undefined> {
    const first = await this.looks.look(id, signal);
    if (!first || first.answer.is === (first.site.is ?? 'answers')) return first;
    await sleep(SECOND_LOOK_MS, undefined, { signal, ref: false });
    return this.looks.look(id, signal);
  }

  private async record(looked: Looked | undefined): Promise<void> {
    if (looked) await this.looks.record(looked, ownMeta('system', looked.site.workspace));
  }

  /** A site is looked at as soon as its configuration has changed. */
  protected override onBegun(rounds: SiteRounds): () => void {
    const stream = new ProjectedEvents(this.store, this.projections, {
      heard: (events) => {
        for (const { type, stream: of, meta } of events)
          if (type === 'SiteConfigApplied' || type === 'SiteConfigAdopted')
            void rounds.look({ id: streamParts(of).id, workspace: meta.workspace });
      },
      // The next round looks at every site.
      leftBehind: () => undefined,
      onFault: (err) => this.logger.warn({ err }, 'the events that the looks at sites follow'),
    });
    stream.start(this.projections.position());
    return () => stream.stop();
  }
}
