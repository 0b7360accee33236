/** A console that may call this machine, servers that it calls, and short forms of the calls of requests. */
import type { Answer, requests } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { startToldServer, type ToldServer } from '../../testing/told-server';
import { openWorld, type World } from '../backend/world';

export type Received = Answer<typeof requests.answer>;

export interface RequestGround {
  world: World;
  alice: Operator;
  /** The server that saved requests are sent to. */
  peer: ToldServer;
  ask<T>(path: string, body: object): Promise<T>;
  /** @returns the id of a request to the peer */
  save(data: object): Promise<string>;
  withParam(id: string, name: string, paramType: number, more?: object): Promise<unknown>;
  ended(run: string): Promise<RunView>;
  /** Sends a request, and waits for its run. */
  send(id: string, more?: object): Promise<RunView>;
  answerOf(run: RunView): Promise<Received>;
  end(): Promise<void>;
}

export const openRequestGround = async (): Promise<RequestGround> => {
  const [world, peer] = await Promise.all([
    openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } }),
    startToldServer(),
  ]);
  const alice = await world.backend.signIn();
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const answer = await alice.post<T>(path, body);
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    return answer.body;
  };
  const save = async (data: object): Promise<string> => {
    const fields = { name: 'Orders', host: peer.url, url: '/orders', ...data };
    return (await ask<{ id: string }>('request/insert', { data: fields })).id;
  };
  const withParam = (id: string, name: string, paramType: number, more: object = {}) =>
    ask('request/params/insert', {
      data: { inOrOut: true, input: { name, paramType: { id: paramType } }, ...more },
      request: { id },
    });
  const ended = async (id: string): Promise<RunView> => {
    let run = await ask<RunView>('run/detail', { id });
    await until(async () => {
      run = await ask<RunView>('run/detail', { id });
      return !['requested', 'running'].includes(run.state);
    });
    return run;
  };
  const send = async (id: string, more: object = {}): Promise<RunView> =>
    ended((await ask<{ runId: string }>('request/execute', { id, ...more })).runId);
  const answerOf = ({ id }: RunView): Promise<Received> => ask<Received>('request/answer', { run: id });
  const end = async (): Promise<void> => {
    await world.end();
    await peer.stop();
  };
  return { world, alice, peer, ask, save, withParam, ended, send, answerOf, end };
};

export const textOf = ({ body = '' }: Received): string => Buffer.from(body, 'base64').toString();
