/** Inspects one location on its server: its logs, and the answer of its upstream. These runs change nothing. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { siteVerdicts } from '@quarterdeck/projections';
import { RunEngine, StepFailed, type LocalStep, type RunKind, type RunRequest } from '../runs';
import { locationOwner } from '../domains';
import { followUp } from '../platform/decisions';
import { invalidField, notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { inspectScript } from './apply-scripts/inspect';
import { tailScript } from './apply-scripts/tail';
import { serverOf } from './site-input';
import { SiteLooks } from './site-look-work';
import { siteLogs } from './site-model';
import { Sites, type Started } from './sites';

const SECONDS = 1000;
const LINES = 100;
/** Follows for five minutes unless somebody asks for more or cancels it. */
const FOLLOW_SECONDS = 300;
const GRACE_MS = 60 * SECONDS;

interface LocationInput {
  /** As shown to the operator. */
  location: string;
  id: string;
  serverName: string;
  lines?: number;
  seconds?: number;
  upstream?: string;
}
const inputOf = ({ input }: RunRequest): LocationInput => input as unknown as LocationInput;

export const locationLogs: RunKind = {
  kind: 'locationLogs',
  changes: false,
  steps: (request) => {
    const { id, serverName, lines = LINES, seconds = FOLLOW_SECONDS } = inputOf(request);
    return [
      {
        name: 'logs',
        on: 'server',
        script: (context) => {
          const { access, error } = siteLogs({ serverName, folders: serverOf(context) }, id);
          return tailScript([access, error], lines, seconds);
        },
        privileged: true,
        timeoutMs: seconds * SECONDS + GRACE_MS,
        repeatable: true,
      },
    ];
  },
};

/** The app may answer on its server while visitors get nothing of it. */
const asVisitors = (looks: SiteLooks): LocalStep => ({
  name: 'site',
  on: 'console',
  perform: async ({ request }, { print, signal, meta }) => {
    const looked = await looks.look(request.subject.id, signal, true);
    if (!looked) {
      print('The site was not looked at: it was never applied, or this console may not call its server.\n');
      return {};
    }
    await looks.record(looked, followUp(meta));
    const { is, says } = looked.answer;
    const { label, tone } = siteVerdicts[is];
    print(`Seen by visitors: ${label}. ${says}\n`);
    if (tone === 'bad') throw new StepFailed('site', `${request.subject.name}: ${label}. ${says}`);
    return { report: { answer: is, says } };
  },
  timeoutMs: GRACE_MS,
  repeatable: true,
});

export const inspectLocation = (looks: SiteLooks): RunKind => ({
  kind: 'inspectLocation',
  changes: false,
  steps: [
    {
      name: 'inspect',
      on: 'server',
      script: ({ request }) => inspectScript(inputOf(request).upstream ?? ''),
      timeoutMs: GRACE_MS,
      repeatable: true,
    },
    asVisitors(looks),
  ],
});

@Injectable()
export class LocationWork implements OnModuleInit {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly runs: RunEngine,
    private readonly sites: Sites,
    private readonly looks: SiteLooks,
  ) {}

  onModuleInit(): void {
    this.runs.register(locationLogs);
    this.runs.register(inspectLocation(this.looks));
  }

  logs(
    id: string,
    { runId, ...how }: { runId: string; lines?: number; seconds?: number },
    meta: CommandMeta,
  ): Promise<Started> {
    return this.on(id, 'locationLogs', runId, how, meta);
  }

  inspect(id: string, runId: string, meta: CommandMeta): Promise<Started> {
    return this.on(id, 'inspectLocation', runId, {}, meta);
  }

  private async on(
    id: string,
    kind: string,
    runId: string,
    how: { lines?: number; seconds?: number },
    meta: CommandMeta,
  ): Promise<Started> {
    const owner = await locationOwner(this.db, meta.workspace, id);
    if (owner === undefined) throw notFound('location');
    const domain = await this.sites.domain(owner, meta.workspace);
    const location = domain.locations.find((known) => known.id === id);
    if (!location) throw notFound('location');
    const { serverName } = domain;
    const input: LocationInput = { id, serverName, location: location.location, ...how };
    if (kind === 'inspectLocation') {
      if (location.url === undefined || location.isRedirect === true)
        throw invalidField('id', 'this location has no upstream');
      input.upstream = location.url;
    }
    return this.sites.start(runId, kind, owner, domain, input, meta);
  }
}
