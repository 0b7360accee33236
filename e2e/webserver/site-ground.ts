/** Domains on a throw-away server with its own address, so that DNS, probes and certificates use the real ports. */
import { v7 as uuidv7 } from 'uuid';
import type { DomainView, RunView } from '@quarterdeck/projections';
import { fieldsOf } from '../backend/world';
import { pause } from '../../testing/patience';
import { startBind, type Bind } from '../../testing/bind';
import type { Operator } from '../../testing/operator';
import type { Answer } from '../../testing/operator';
import { startThrowawayHost, type ThrowawayHost, type ThrowawayOptions } from '../../testing/throwaway-host';

export interface EndedRun {
  run: RunView;
  /** All output. */
  out: string;
}

export interface SitePlace {
  host: ThrowawayHost;
  bind: Bind;
  /** Environment of a back end that works with this place. */
  env: Record<string, string>;
  /** Runs a line on the server as root; throws unless it succeeds. */
  inside(line: string): Promise<string>;
  stop(): Promise<void>;
}

export const startSitePlace = async (options: ThrowawayOptions = {}): Promise<SitePlace> => {
  const bind = await startBind();
  const host = await startThrowawayHost({ ...options, address: true }).catch(async (error: unknown) => {
    await bind.stop();
    throw error;
  });
  return {
    host,
    bind,
    env: { DNS_SERVERS: bind.server, OUTBOUND_ALLOW: '127.0.0.0/8' },
    async inside(line) {
      const { code, out } = await host.inside(line);
      if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
      return out;
    },
    async stop() {
      await host.stop();
      await bind.stop();
    },
  };
};

/** Actions of an operator. */
export interface SiteWork {
  /** Registers the place's server. @returns its id */
  register(at?: { host: string; port: number }): Promise<string>;
  /** Adds a name below bind's zone that points to the server, as a domain. @returns its id */
  domain(label: string, server: string): Promise<string>;
  location(domain: string, data: object): Promise<string>;
  detail(id: string): Promise<DomainView>;
  /** Starts a run by a call and waits for its end. */
  run(path: string, body: object): Promise<EndedRun>;
  ended(run: string): Promise<EndedRun>;
  /** Waits until a step of a run has begun. */
  begun(run: string, step: string): Promise<void>;
}

const good = <T>(path: string, { status, body }: Answer<T>): T => {
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
};

/** @param who signed in; called each time, because the back end may have been replaced */
export const siteWork = (who: () => Operator, { host, bind }: SitePlace): SiteWork => {
  const call = async <T>(path: string, body: object): Promise<T> =>
    good(path, await who().post<T>(path, body));
  const ended = async (id: string): Promise<EndedRun> => {
    for (;;) {
      // A back end that was killed does not answer for a while.
      const answer = await who()
        .post<RunView>('run/detail', { id })
        .catch(() => undefined);
      if (answer?.status === 200 && answer.body.endedAt !== undefined) {
        const { chunks } = await call<{ chunks: { text: string }[] }>('run/output', { id });
        return { run: answer.body, out: chunks.map(({ text }) => text).join('') };
      }
      await pause(250);
    }
  };
  return {
    async register(at = host) {
      const { privateKey } = await host.keyFor('ed25519');
      const fields = fieldsOf(`web-${uuidv7()}`, { ...at, username: 'root' });
      return (await call<{ id: string }>('server/insert', { ...fields, privateKey })).id;
    },
    async domain(label, server) {
      const serverName = `${label}.${bind.zone}`;
      bind.change(`add ${serverName} 60 A ${host.host}`);
      return (await call<{ id: string }>('domain/insert', { serverName, server: { id: server } })).id;
    },
    location: async (domain, data) =>
      (await call<{ id: string }>('domain/location/insert', { domain: { id: domain }, data })).id,
    detail: (id) => call<DomainView>('domain/detail', { id }),
    async run(path, body) {
      const { runId } = await call<{ runId: string }>(path, body);
      return ended(runId);
    },
    ended,
    async begun(id, step) {
      for (;;) {
        const { body } = await who().post<RunView>('run/detail', { id });
        if (body.steps?.some((one) => one.step === step)) return;
        if (body.endedAt !== undefined)
          throw new Error(`${step} was not begun: ${JSON.stringify(body.steps)}`);
        await pause(10);
      }
    },
  };
};
