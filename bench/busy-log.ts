/**
 * Years of a busy workspace, told by the project's own deciders: servers and domains are edited and go up and down,
 * scripts are revised, certificates renewed, people sign in, and most of all commands run, alone and as parts of runs
 * over many servers. The same seed tells the same story, but for its ids.
 */
import { commandOf, commandTypes, streamName } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/events/store';
import { v7 as uuid } from 'uuid';
import { RecordDnsAnswer } from '../apps/backend/src/domains/domain-answers';
import { IssueCertificate, RecordServed } from '../apps/backend/src/domains/domain-certificate';
import { AddLocation } from '../apps/backend/src/domains/domain-locations';
import { AddDomain, domainsDecider } from '../apps/backend/src/domains/domains.decider';
import { fleetRequest, partId, partOf } from '../apps/backend/src/fleet/fleet-request';
import { JoinWorkspace, personDecider, SignIn } from '../apps/backend/src/people/people.decider';
import { followUp } from '../apps/backend/src/platform/decisions/decider-handlers';
import type { CommandMeta } from '../apps/backend/src/platform/sessions/session';
import { FinishRunStep, RequestRun, runsDecider, StartRunStep } from '../apps/backend/src/runs/runs.decider';
import type { RunEnd, RunRequest } from '../apps/backend/src/runs/runs.decider';
import { AddScript, EditScript, scriptsDecider } from '../apps/backend/src/scripts/scripts.decider';
import * as server from '../apps/backend/src/servers/servers.decider';
import { DAY, Teller, type Append, type TellerOptions } from './teller';

export interface BusyOptions extends Pick<TellerOptions, 'events'>, Partial<Omit<TellerOptions, 'events'>> {
  workspace?: string;
  servers?: number;
}

export interface BusyLog {
  workspace: string;
  people: string[];
  servers: string[];
  appends: Generator<Append>;
}

const stepOf = (cmdType: number): string => commandOf(cmdType)?.name ?? '';

/** In the story it is the same moment still. */
const causedBy = (run: string, meta: CommandMeta): CommandMeta => ({ ...followUp(meta, run), at: meta.at });

const SET_UP = ['reach', 'system', 'prerequisites', 'nginx', 'certbot', 'facts'];

class Story extends Teller {
  readonly people = Array.from({ length: 25 }, () => uuid());
  readonly servers: { id: string; alias: string }[];
  private readonly domains = Array.from({ length: 300 }, (_, n) => ({
    id: uuid(),
    name: `shop-${n}.example`,
  }));
  private readonly scripts = Array.from({ length: 40 }, (_, n) => ({ id: uuid(), name: `Check ${n}` }));

  constructor(workspace: string, options: TellerOptions & { servers: number }) {
    super(workspace, options);
    this.servers = Array.from({ length: options.servers }, (_, n) => ({ id: uuid(), alias: `web-${n}` }));
  }

  *tell(): Generator<Append> {
    yield* this.opening();
    while (!this.isTold) yield* this.next();
  }

  private *next(): Generator<Append> {
    const chance = this.chance();
    if (chance < 0.5) yield this.command();
    else if (chance < 0.56) yield* this.manyServers();
    else if (chance < 0.6) yield this.setUp();
    else if (chance < 0.8) yield* this.health();
    else if (chance < 0.86) yield* this.domain();
    else if (chance < 0.92) yield* this.edit();
    else if (chance < 0.94) yield* this.script();
    else yield* this.signIn();
  }

  private *opening(): Generator<Append> {
    for (const id of this.people)
      yield* this.on(personDecider, new JoinWorkspace(id, { role: 'admin' }, this.meta(id)));
    for (const { id, alias } of this.servers) {
      const key = { ref: uuid(), fingerprint: `SHA256:${id}`, algorithm: 'ssh-ed25519' };
      yield* this.on(
        server.serversDecider,
        new server.RegisterServer(id, { ...this.fields(alias), key }, this.meta()),
      );
    }
    for (const { id, name } of this.domains) {
      const addresses = [{ address: '192.0.2.1', family: 4 }];
      const added = new AddDomain(
        id,
        { serverName: name, server: this.one(this.servers).id, addresses },
        this.meta(),
      );
      const path = new AddLocation(
        id,
        { id: uuid(), location: '/', match: 'prefix', url: 'http://app:3000/' },
        this.meta(),
      );
      yield* this.on(domainsDecider, added, path);
    }
    for (const { id, name } of this.scripts)
      yield* this.on(scriptsDecider, new AddScript(id, this.scriptFields(name), this.meta()));
  }

  private fields(alias: string): server.ServerFields {
    const host = `10.${Math.floor(this.chance() * 250)}.${Math.floor(this.chance() * 250)}.7`;
    const paths = { root: '/root', path: '/root/volumes/static', nginxPath: '/root/volumes/nginx_config' };
    return { alias, host, port: 22, username: 'root', ...paths };
  }

  private scriptFields(name: string) {
    return {
      name,
      body: `df -h | sort -k ${Math.floor(this.chance() * 1e6)}\n`,
      changes: false,
      timeoutSeconds: 30,
    };
  }

  private run(id: string, request: RunRequest, steps: readonly string[], meta: CommandMeta): Append {
    const caused = causedBy(id, meta);
    const durationMs = Math.floor(this.chance() * 60_000);
    const failed = this.chance() < 0.03;
    const output = { bytes: Math.floor(this.chance() * 1e5), sha256: id.replaceAll('-', '').repeat(2) };
    const end: RunEnd = failed
      ? { is: 'failed', durationMs, code: 'exitCode', reason: 'the command ended with exit code 1' }
      : { is: 'succeeded', durationMs };
    const told = steps.flatMap((step, index) => {
      const last = index === steps.length - 1;
      const finished = {
        step,
        attempt: 1,
        outcome: failed && last ? 'failed' : 'succeeded',
        durationMs,
        output,
      } as const;
      return [
        new StartRunStep(id, { step, attempt: 1 }, caused),
        new FinishRunStep(
          id,
          { ...finished, exitCode: failed && last ? 1 : 0, ...(last ? { end } : {}) },
          caused,
        ),
      ];
    });
    return {
      stream: streamName('run', id),
      events: this.decide(runsDecider, new RequestRun(id, request, meta), ...told),
    };
  }

  private subject(): RunRequest['subject'] {
    const { id, alias } = this.one(this.servers);
    return { kind: 'server', id, name: alias };
  }

  private cmdType(): number {
    return this.one(commandTypes).cmdType;
  }

  private command(): Append {
    const input = { cmdType: this.cmdType() };
    return this.run(
      uuid(),
      { kind: 'command', subject: this.subject(), input },
      [stepOf(input.cmdType)],
      this.meta(),
    );
  }

  private setUp(): Append {
    const request = { kind: 'initializeServer', subject: this.subject(), input: {} };
    return this.run(uuid(), request, SET_UP, this.meta());
  }

  /** One request, a run of its own, and one run a server as parts of it. */
  private *manyServers(): Generator<Append> {
    const meta = this.meta();
    const fleet = uuid();
    const chosen = new Set(Array.from({ length: 8 }, () => this.one(this.servers)));
    const servers = [...chosen].map(({ id, alias }) => ({ id, name: alias }));
    const input = { cmdType: this.cmdType(), servers, concurrency: 8 };
    yield this.run(fleet, { kind: 'fleet', ...fleetRequest(fleet, input) }, ['servers'], meta);
    for (const one of servers) {
      const { kind, what } = partOf(fleet, input, one);
      yield this.run(
        partId(fleet, one.id),
        { kind, ...what },
        [stepOf(input.cmdType)],
        causedBy(fleet, meta),
      );
    }
  }

  private *health(): Generator<Append> {
    const { id } = this.one(this.servers);
    const { health: before } = this.states.get(streamName('server', id)) as server.RegisteredServer;
    const health: server.Health =
      before === 'reachable' ? { to: 'unreachable', reason: 'no answer within 5 s' } : { to: 'reachable' };
    yield* this.on(server.serversDecider, new server.RecordHealth(id, health, this.meta('system')));
  }

  private *domain(): Generator<Append> {
    const { id, name } = this.one(this.domains);
    const meta = this.meta('system');
    const state = this.states.get(streamName('domain', id)) as { server: string };
    const pointsHere = this.chance() < 0.5;
    const addresses = [{ address: `198.51.100.${Math.floor(this.chance() * 250)}`, family: 4 }];
    const answer = { outcome: 'found' as const, addresses, pointsHere };
    // None ends before now: whoever watches for that would go on with the story.
    const dates = {
      notBefore: meta.at,
      notAfter: new Date(Date.parse(meta.at) + 2_000 * DAY).toISOString(),
    };
    const serial = uuid().replaceAll('-', '').toUpperCase();
    const facts = { serial, issuer: 'Test authority R3', names: [name], ...dates };
    const served = { valid: true, served: { ...facts, protocol: 'TLSv1.3' } };
    yield* this.on(
      domainsDecider,
      new RecordDnsAnswer(id, { serverName: name, server: state.server, answer }, meta),
      new IssueCertificate(id, { ...facts, keyType: 'ECDSA P-256', fingerprint: serial }, meta),
      new RecordServed(id, { serverName: name, served }, meta),
    );
  }

  private *edit(): Generator<Append> {
    const { id, alias } = this.one(this.servers);
    yield* this.on(server.serversDecider, new server.EditServer(id, this.fields(alias), this.meta()));
  }

  private *script(): Generator<Append> {
    const { id, name } = this.one(this.scripts);
    yield* this.on(scriptsDecider, new EditScript(id, this.scriptFields(name), this.meta()));
  }

  private *signIn(): Generator<Append> {
    const id = this.one(this.people);
    yield* this.on(personDecider, new SignIn(id, { via: 'link' }, this.meta(id)));
  }
}

export const busyLog = ({
  events,
  workspace = uuid(),
  seed = 1,
  servers = 500,
  days = 700,
  ends = Date.now(),
}: BusyOptions): BusyLog => {
  const story = new Story(workspace, { events, seed, servers, days, ends });
  return {
    workspace,
    people: story.people,
    servers: story.servers.map(({ id }) => id),
    appends: story.tell(),
  };
};

const AT_ONCE = 500;

/** Writes it as quickly as the log takes it, in the order in which it is told. @returns how many events */
export const write = async (store: EventStore, appends: Iterable<Append>): Promise<number> => {
  let written = 0;
  let batch: Promise<unknown>[] = [];
  const lengths = new Map<string, number>();
  for (const { stream, events } of appends) {
    written += events.length;
    const length = lengths.get(stream) ?? 0;
    lengths.set(stream, length + events.length);
    batch.push(store.append(stream, events, length === 0 ? 'no_stream' : length - 1));
    if (batch.length < AT_ONCE) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
  return written;
};
