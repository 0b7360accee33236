/** A workspace with random events from a seed, and all questions about it. */
import { isUndoable, streamName, type AppEvent, type EventType, type NewEvent } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { v7 as uuidv7 } from 'uuid';
import { appendAtEnd } from '../../testing/log-events';
import { parentOf, valuesOf } from '@quarterdeck/contract/kit-examples';
import { parentsFirst } from '../backend/plain-nouns';
import { readSamples } from '../../libs/events/samples/read-samples';
import type { EventStore } from '@quarterdeck/log/store';
import { idleKey, nowhere } from '../../testing/idle-server';
import type { Operator } from '../../testing/operator';
import { fieldsOf } from '../../testing/server-fields';

export const chanceOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
};

/** Events that no call of a test can cause (nothing can be reached from here) come from the catalogue's samples. */
const told: Record<string, readonly EventType[]> = {
  server: [
    'ServerHealthChanged',
    'ServerHostKeyPinned',
    'ServerHostKeyRefused',
    'ServerHostKeyReturned',
    'ServerInitialized',
    'DockerInstalled',
  ],
  domain: [
    'DnsAnswerChanged',
    'CertificateIssued',
    'CertificateRenewed',
    'CertificateServed',
    'CertificateRefused',
    'CertificateOrderWasted',
    'CertificateRemoved',
    'SiteConfigApplied',
    'SiteConfigDrifted',
    'SiteConfigReturned',
    'SiteConfigRemoved',
  ],
  alert: ['AlertRaised', 'AlertResolved', 'AlertDismissed', 'AlertDelivered'],
  deploy: ['DeployRequested', 'DeploySucceeded', 'DeployFailed', 'DeployLogRemoved'],
  version: ['VersionApplyStarted', 'VersionApplyRefused', 'VersionApplied'],
  release: [
    'ReleaseRequested',
    'ReleaseServed',
    'ReleaseStopped',
    'ReleaseFailed',
    'ReleaseValueDestroyed',
    'ReleaseRemoved',
  ],
};

export class Story {
  /** All things that ever existed, by category. */
  readonly ids: Record<string, string[]> = {};
  private readonly chance: (below: number) => number;
  private readonly key = idleKey();
  private counter = 0;

  constructor(
    readonly operator: Operator,
    readonly workspace: string,
    seed: number,
    /** For events that no call causes. Without it, only calls are made. */
    private readonly store?: EventStore,
  ) {
    this.chance = chanceOf(seed);
  }

  /** One more action. A refused one (the server is gone, the name is taken) changes nothing, which is fine. */
  async goOn(): Promise<void> {
    const deeds = [
      () => this.addServer(),
      () => this.editServer(),
      () => this.editServer(),
      () => this.removeServer(),
      () => this.addDomain(),
      () => this.editDomain(),
      () => this.addLocation(),
      () => this.removeDomain(),
      () => this.undo(),
      () => this.undo(),
      () => this.script(),
      () => this.plain(),
      () => this.plain(),
      () => this.version(),
      () => this.variable(),
      () => this.variable(),
      () => this.text(),
      () => this.text(),
      () => this.answer(),
      () => this.settings(),
      () => this.run(),
      ...(this.store ? Array.from({ length: 3 }, () => () => this.tell()) : []),
    ];
    await this.one(deeds)();
  }

  async addServer(): Promise<void> {
    const server = { ...fieldsOf(this.name('web'), nowhere), privateKey: this.key };
    this.keep('server', await this.operator.post('server/insert', server));
  }

  async addDomain(): Promise<void> {
    const domain = { serverName: `${this.name('shop')}.localhost`, server: { id: this.any('server') } };
    this.keep('domain', await this.operator.post('domain/insert', domain));
  }

  private async editServer(): Promise<void> {
    const data = { ...fieldsOf(this.name('web'), nowhere), root: `/srv/${this.chance(3)}` };
    await this.operator.post('server/update', { id: this.any('server'), data });
  }

  private async removeServer(): Promise<void> {
    const id = this.any('server');
    const { body } = await this.operator.post<{ alias?: string }>('server/detail', { id });
    // Its domains are removed with it, a moment later.
    if (body.alias && this.chance(2) === 0)
      await this.operator.post('server/delete', { id, alias: body.alias });
  }

  private async editDomain(): Promise<void> {
    const id = this.any('domain');
    if (this.chance(3) === 0)
      await this.operator.post('domain/settings', {
        id,
        settings: { trustedProxies: `10.0.0.${this.chance(9)}` },
      });
    else if (this.chance(2) === 0)
      await this.operator.post('domain/alerts', { id, thresholds: [this.chance(30) + 1] });
    else {
      const data = { serverName: `${this.name('shop')}.localhost`, server: { id: this.any('server') } };
      await this.operator.post('domain/update', { filters: { id }, data });
    }
  }

  private async removeDomain(): Promise<void> {
    const id = this.any('domain');
    const { body } = await this.operator.post<{ serverName?: string }>('domain/detail', { id });
    const { serverName } = body;
    if (serverName && this.chance(2) === 0) await this.operator.post('domain/delete', { id, serverName });
  }

  private async addLocation(): Promise<void> {
    const data = { location: `/${this.name('at')}/`, url: 'http://127.0.0.1:9/' };
    const added = await this.operator.post('domain/location/insert', {
      domain: { id: this.any('domain') },
      data,
    });
    this.keep('location', added);
    if (this.chance(3) === 0)
      await this.operator.post('domain/location/delete', { id: this.any('location') });
  }

  /** Undoes one of the last changes; refused if it was changed again since. */
  private async undo(): Promise<void> {
    const list = await this.operator.post<{ events: { type: string; position: string }[] }>('history/list', {
      limit: 40,
    });
    const changes = list.body.events.filter(({ type }) => isUndoable(type));
    if (changes.length === 0) return;
    const { position } = this.one(changes);
    const { body } = await this.operator.post<{ seen: string }>('history/undo/preview', { position });
    if (body.seen)
      await this.operator.post('history/undo', { position, seen: body.seen, privateKey: this.key });
  }

  private async script(): Promise<void> {
    const script = { name: this.name('check'), body: 'df -h\n', changes: false, timeoutSeconds: 30 };
    const id = this.any('script');
    if (this.chance(2) === 0) this.keep('script', await this.operator.post('script/insert', script));
    else if (this.chance(3) > 0) await this.operator.post('script/update', { id, data: script });
    else {
      const { body } = await this.operator.post<{ name?: string }>('script/detail', { id });
      if (body.name) await this.operator.post('script/delete', { id, name: body.name });
    }
  }

  private async plain(): Promise<void> {
    const noun = this.one(parentsFirst);
    const { category, path, named } = noun;
    const id = this.any(category);
    const data = valuesOf(noun, this.name(category), (target) => this.any(target));
    const parent = parentOf(noun, (parent) => this.any(parent));
    const deed = this.chance(5);
    if (deed < 2) this.keep(category, await this.operator.post(`${path}/insert`, { data, ...parent }));
    else if (deed < 4) await this.operator.post(`${path}/update`, { id, data });
    else {
      const { body } = await this.operator.post<Record<string, unknown>>(`${path}/detail`, { id });
      await this.operator.post(`${path}/delete`, { id, [named]: body[named] });
    }
  }

  private async version(): Promise<void> {
    const product = this.any('product');
    const version = await this.operator.post<{ id?: string }>('data-model/version/create', { id: product });
    this.keep('version', version);
    const uuid = this.any('version');
    const of = { product: { id: product }, version: { uuid: version.body.id ?? uuid } };
    const list = await this.operator.post<{ id: string }[]>('data-model/migration/list', of);
    for (const migration of list.status === 200 ? list.body.slice(0, 1) : [])
      (this.ids['migration'] ??= []).push(migration.id);
    await this.operator.post('data-model/version/update', { uuid, data: { env: { id: 2 } } });
  }

  private async variable(): Promise<void> {
    const service = { id: this.any('service') };
    const key = `VARIABLE_${this.chance(4)}`;
    const data = { key, value: this.name('value'), env: { id: 1 }, secret: this.chance(2) === 0 };
    const id = this.any('variable');
    const deed = this.chance(5);
    if (deed < 2)
      this.keep('variable', await this.operator.post('env-var/insert', { data, serviceDeploy: service }));
    else if (deed === 2) await this.operator.post('env-var/update', { id, data });
    else if (deed === 3) await this.operator.post('env-var/delete', { id });
    else {
      const content = `${key}=${data.value}\nTOKEN=${data.value}`;
      await this.operator.post('env-var/import', { service, env: 1, content, removeOthers: true });
      await this.operator.post('env-var/get-app-token', { service, env: 1 });
    }
  }

  private async answer(): Promise<void> {
    const request = { id: this.any('request') };
    const data = { request, responseBody: `{"name": "${this.name('answer')}"}`, inputs: 'limit=1' };
    this.keep('answer', await this.operator.post('request/logs/insert', { data }));
  }

  private async text(): Promise<void> {
    const product = { id: this.any('product') };
    const uuid = this.any('text');
    const language = 1 + this.chance(3);
    const id = this.any('textUnit');
    const deed = this.chance(8);
    const data = {
      key: this.name('key'),
      product,
      isCms: this.chance(3) === 0,
      texts: { en: this.name('text') },
    };
    if (deed < 2) this.keep('text', await this.operator.post('i18n/insert', { data }));
    else if (deed < 4) {
      const unit = { i18nKey: uuid, name: this.name('text'), language };
      this.keep('textUnit', await this.operator.post('i18n/insert/unit', unit));
    } else if (deed === 4) await this.operator.post('i18n/update/unit', { id, name: this.name('text') });
    else if (deed === 5) await this.operator.post('i18n/review/unit', { id, isReviewed: true });
    else if (deed === 6) await this.operator.post('i18n/update', { uuid, data: { key: this.name('key') } });
    else await this.operator.post('i18n/delete', { uuid });
  }

  private async settings(): Promise<void> {
    const number = this.chance(20) + 5;
    const checks = { everySeconds: number, failures: 2, outOf: 3 };
    if (this.chance(2) === 0) await this.operator.post('workspace/health-checks', checks);
    else await this.operator.post('workspace/alerts', { thresholds: [number] });
  }

  private async run(): Promise<void> {
    const runId = uuidv7();
    const id = this.any('server');
    const { status } =
      this.chance(2) === 0
        ? await this.operator.post('server/execCmd', { id, cmdType: 1, runId })
        : await this.operator.post('fleet/start', { servers: [id], cmdType: 1, runId });
    if (status === 200) (this.ids['run'] ??= []).push(runId);
  }

  private async tell(): Promise<void> {
    if (!this.store) return;
    const category = this.one(Object.keys(told));
    const type = this.one(told[category] ?? []);
    const sample = this.one(
      readSamples().filter((one) => one.type === type && one.v === catalogue[type].version),
    );
    const ids = (this.ids[category] ??= []);
    const fresh =
      ['alert', 'deploy', 'release'].includes(category) && (ids.length === 0 || this.chance(3) === 0);
    if (fresh) ids.push(uuidv7());
    const stream = streamName(category, fresh ? (ids.at(-1) ?? '') : this.any(category));
    const id = uuidv7();
    const causes = { correlationId: id, causationId: id };
    const at = new Date().toISOString();
    const meta = { id, at, actor: 'system', workspace: this.workspace, ...causes, v: String(sample.v) };
    await appendAtEnd(this.store, stream, [
      { ...({ type, data: sample.data } as AppEvent), meta } as NewEvent,
    ]);
  }

  private keep(category: string, { body }: { body: Record<string, unknown> }): void {
    if (typeof body['id'] === 'string') (this.ids[category] ??= []).push(body['id']);
  }

  private name(stem: string): string {
    return `${stem}-${(this.counter += 1)}`;
  }

  /** A thing that exists or existed. */
  any(category: string): string {
    const ids = this.ids[category] ?? [];
    return ids.length === 0 ? uuidv7() : this.one(ids);
  }

  private one<T>(of: readonly T[]): T {
    const chosen = of[this.chance(of.length)];
    if (chosen === undefined) throw new Error('there is nothing to choose from');
    return chosen;
  }
}
