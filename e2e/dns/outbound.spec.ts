/** covers: DOM-04, DOM-06. Where calls go when a real bind9 answers, and changes its answer. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '../../apps/backend/src/platform/errors';
import { Outbound, OutboundRefused, resolveThrough } from '../../apps/backend/src/platform/outbound/outbound';
import { callOut } from '../../apps/backend/src/platform/outbound/outbound-http';
import { type Bind, startBind } from '../../testing/bind';
import { freePort } from '../../testing/free-port';

let bind: Bind;
let server: Server;
let port: number;
beforeAll(async () => {
  bind = await startBind();
  server = createServer((request, response) => response.end(`to ${request.headers.host}`));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  bind.change(
    'add public.example.test 60 A 93.184.216.34',
    'add inside.example.test 60 A 10.0.0.5',
    'add inside.example.test 60 AAAA fd00::5',
    'add web.example.test 60 A 127.0.0.1',
    'add alias.example.test 60 CNAME web.example.test.',
  );
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  await bind.stop();
});

const outboundWith = (...allow: string[]): Outbound =>
  new Outbound(allow, resolveThrough([bind.server], 5000));
const failureOf = async (work: Promise<unknown>): Promise<DomainError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
};

it('a name is resolved by the configured resolvers and pinned', async () => {
  const target = await outboundWith().reach({ host: 'public.example.test', port: 443 });
  expect(target).toMatchObject({ host: 'public.example.test', address: '93.184.216.34', family: 4 });
});

it('a name with an internal address is refused, directly and through an alias', async () => {
  for (const host of ['inside.example.test', 'web.example.test', 'alias.example.test'])
    expect(await failureOf(outboundWith().reach({ host, port: 443 }))).toBeInstanceOf(OutboundRefused);
});

it('a call goes to the allowed address of a name, with the name in the Host header', async () => {
  const answer = await callOut(outboundWith('127.0.0.1'), { url: `http://alias.example.test:${port}/` });
  expect(answer).toMatchObject({ status: 200, text: `to alias.example.test:${port}` });
});

it('a name that changes to an internal address after the check is called at the checked address', async () => {
  bind.change('add moving.example.test 0 A 127.0.0.1');
  const target = await outboundWith('127.0.0.1').reach({ host: 'moving.example.test', port });
  bind.change('delete moving.example.test A', 'add moving.example.test 0 A 10.0.0.5');
  const address = await new Promise((done) =>
    target.lookup('moving.example.test', {}, (_error, found) => done(found)),
  );
  expect(address).toBe('127.0.0.1');
  const again = await failureOf(outboundWith('127.0.0.1').reach({ host: 'moving.example.test', port }));
  expect(again).toBeInstanceOf(OutboundRefused);
});

it('a missing name is reported, and so is a silent or dead resolver', async () => {
  const gone = await failureOf(outboundWith().reach({ host: 'gone.example.test', port: 443 }));
  expect(gone).toMatchObject({ code: 'upstream', detail: { code: 'ENOTFOUND' } });
  const nobody = new Outbound([], resolveThrough([`127.0.0.1:${await freePort()}`], 1000));
  const refused = await failureOf(nobody.reach({ host: 'public.example.test', port: 443 }));
  expect(refused.detail.code).toBe('ECONNREFUSED');
  await bind.freeze();
  const silent = await failureOf(
    new Outbound([], resolveThrough([bind.server], 300)).reach({ host: 'public.example.test', port: 443 }),
  ).finally(() => bind.thaw());
  expect(silent.detail.code).toBe('ETIMEOUT');
});

it('a second resolver is asked if the first is down', async () => {
  const outbound = new Outbound([], resolveThrough([`127.0.0.1:${await freePort()}`, bind.server]));
  expect(await outbound.reach({ host: 'public.example.test', port: 443 })).toMatchObject({
    address: '93.184.216.34',
  });
});
