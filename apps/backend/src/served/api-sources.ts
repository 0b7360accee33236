/** What operators have described of an API, in the form that its process needs. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  apiInstance,
  attribute,
  database,
  endpoint,
  entity,
  issuersOf,
  oauthParam,
  optionSet,
  streamParts,
  TENANT,
} from '@quarterdeck/events';

import { ApiLibrary, endpointOf } from '../api-instances';
import { DatabaseConnections } from '../databases';
import { MailSender } from '../mails';
import { askedInstant, type Instant } from '../platform/as-of';
import { DomainError } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import { ProjectedEvents } from '../platform/live';
import { hashed } from '../platform/sessions';
import {
  CONFIG,
  DB,
  EVENT_STORE,
  LOGGER,
  PROJECTIONS,
  type Config,
  type EventStore,
  type Logger,
  type Pool,
  type ProjectionRunner,
} from '../platform/tokens';
import { DATABASE_LIMITS } from './child/connections';
import type { CallSettings } from './child/service-calls';
import type { ApiDescription, ListenAddress, ServiceClient } from './messages';
import type { ApiSource } from './running';
import type { StandaloneDefinition } from './standalone/definition';

export const NO_DATABASE = 'this API has no database: add one for its environment to the product';
const REQUESTS_PER_MINUTE = 600;
const SNIPPET_MS = 200;

/** Changes of these change what an API answers, or how. */
const DESCRIBED = new Set(
  [apiInstance, oauthParam, endpoint, entity, attribute, optionSet].map(({ category }) => category),
);

type DescribedService = Omit<ServiceClient, 'secret'> & { readonly id: string };

export interface Changes {
  readonly description: boolean;
  readonly database: boolean;
}
/** What has changed in a workspace. @param workspace undefined: in any of them */
type Changed = (workspace: string | undefined, what: Changes) => void;

@Injectable()
export class ApiSources implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stream: ProjectedEvents;
  private changed: Changed = () => undefined;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(LOGGER) logger: Logger,
    @Inject(recordsOf(apiInstance)) private readonly instances: PlainRecords,
    @Inject(recordsOf(oauthParam)) private readonly oauth: PlainRecords,
    @Inject(CONFIG) private readonly config: Config,
    private readonly library: ApiLibrary,
    private readonly databases: DatabaseConnections,
    private readonly mails: MailSender,
  ) {
    this.stream = new ProjectedEvents(store, projections, {
      heard: (events) => {
        const workspaces = new Map<string, Changes>();
        for (const { stream, meta, type } of events) {
          const { category } = streamParts(stream);
          const isDatabase = category === database.category;
          const isDescribed = DESCRIBED.has(category as never) || type === 'MailServerConfigured';
          if (!isDatabase && !isDescribed) continue;
          const known = workspaces.get(meta.workspace) ?? { description: false, database: false };
          workspaces.set(meta.workspace, {
            description: known.description || !isDatabase,
            database: known.database || isDatabase,
          });
        }
        for (const [workspace, what] of workspaces) this.changed(workspace, what);
      },
      leftBehind: () => this.changed(undefined, { description: true, database: true }),
      onFault: (error) => logger.warn({ err: error }, 'the log could not be read for served APIs'),
    });
  }

  /** @param changed called once for many events that were recorded together */
  watch(changed: Changed): void {
    this.changed = changed;
  }

  /** Runs before anything listens. */
  onApplicationBootstrap(): void {
    this.stream.start(this.projections.position());
  }

  onModuleDestroy(): void {
    this.stream.stop();
  }

  /** @returns undefined if there is none */
  async workspaceOf(instance: string): Promise<string | undefined> {
    const { rows } = await this.db.query<{ workspace: string }>(
      'select workspace from read.api_instances where id = $1',
      [instance],
    );
    return rows[0]?.workspace;
  }

  /**
   * Instances with a port of their own.
   * @param workspace default: of all
   */
  async ports(workspace?: string): Promise<Map<string, { workspace: string; listens: ListenAddress }>> {
    const { rows } = await this.db.query<{ id: string; workspace: string; host: string; port: number }>(
      `select id, workspace, "bindTo" as host, port from read.api_instances
       where port > 0 and ($1::text is null or workspace = $1)`,
      [workspace ?? null],
    );
    return new Map(rows.map(({ id, workspace: of, ...listens }) => [id, { workspace: of, listens }]));
  }

  of(instance: string, workspace: string): ApiSource {
    return {
      describe: () => this.describe(instance, workspace),
      begin: async () => ({
        // Nobody names the nginx on this machine, where the port is by default.
        proxies: this.config.TRUSTED_PROXIES ?? ['loopback'],
        database: await this.access(instance, workspace),
        limits: DATABASE_LIMITS,
        calls: this.calls(),
      }),
      forward: (server, to) => this.databases.forward(server, to, workspace),
    };
  }

  /** As it was, without its token. @throws DomainError `notFound` if it did not exist */
  describeAt(instance: string, instant: Instant): Promise<ApiDescription> {
    const { workspace, position } = instant;
    return askedInstant.run(instant, async () => ({
      ...(await this.described(instance, workspace)),
      position,
    }));
  }

  /** As it is, for a process that gets its token and its database elsewhere. @throws DomainError `notFound` */
  async withoutSecrets(instance: string, workspace: string): Promise<StandaloneDefinition> {
    const position = this.projections.position();
    const { product, env } = await this.library.instance(instance, workspace);
    const [dialect, described] = await Promise.all([
      this.library.dialect(product, env, workspace),
      this.described(instance, workspace),
    ]);
    return { dialect, description: { ...described, position } };
  }

  private async describe(instance: string, workspace: string): Promise<ApiDescription> {
    // Read first: the rest may be newer, and is then described once more.
    const position = this.projections.position();
    const [described, { token }, sendsMails, { port, bindTo }] = await Promise.all([
      this.described(instance, workspace),
      this.instances.opened(instance, workspace),
      this.mails.canSend(workspace),
      this.library.instance(instance, workspace),
    ]);
    const services = await Promise.all(
      described.services.map(async ({ id, ...one }) => {
        const { secret } = await this.oauth.opened(id, workspace);
        return { ...one, secret: String(secret) };
      }),
    );
    const listens = port > 0 ? { host: bindTo, port } : undefined;
    return { ...described, position, tokenHash: hashed(String(token)), sendsMails, services, listens };
  }

  /** Without secrets. */
  private async described(
    instance: string,
    workspace: string,
  ): Promise<Omit<ApiDescription, 'position' | 'services'> & { services: DescribedService[] }> {
    const view = await this.library.instance(instance, workspace);
    const [endpoints, model] = await Promise.all([
      this.library.endpoints(instance, workspace),
      this.library.model(view.product, workspace),
    ]);
    return {
      instance,
      model,
      options: view.multiTenant ? { tenant: TENANT } : {},
      endpoints: endpoints.map(({ id, ...one }) => ({ id, endpoint: endpointOf(one) })),
      services: (view.oAuthParams ?? []).map(({ id, service, clientId, redirectUrl, options }) => ({
        id,
        service,
        clientId,
        redirectUrl,
        options,
        issuers: issuersOf(service, options),
      })),
      requestsPerMinute: REQUESTS_PER_MINUTE,
      snippetMs: SNIPPET_MS,
    };
  }

  private calls(): CallSettings {
    const { OUTBOUND_ALLOW, DNS_SERVERS, SIGN_IN_GATEWAY } = this.config;
    return { allow: OUTBOUND_ALLOW, nameServers: DNS_SERVERS, gateway: SIGN_IN_GATEWAY };
  }

  private async access(instance: string, workspace: string) {
    const view = await this.library.instance(instance, workspace);
    const own = await this.library.database(view, workspace);
    if (!own) throw new DomainError('unavailable', NO_DATABASE, undefined, { retryAfter: 60 });
    return this.databases.route(own.id, workspace);
  }
}
