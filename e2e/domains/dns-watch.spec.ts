/** One of several back ends watches where domains point. When it stops, another continues. covers: DOM-04 */
import { openDomainGround, type DomainGround } from './ground';
import { until } from '../../testing/patience';

let ground: DomainGround;
beforeAll(async () => {
  ground = await openDomainGround();
});
afterAll(() => ground?.end());

test('the watching process records changes, and its successor does not record them again', async () => {
  const { world, bind } = ground;
  const id = await ground.domain('shop', await ground.server('web-1'));
  const name = `shop.${bind.zone}`;
  const seen = async () =>
    (await ground.events(`domain-${id}`)).filter(({ type }) => type === 'DnsAnswerChanged');
  const holders = async (): Promise<number> =>
    (await world.backend.db.query(`select from app.leases where name = 'dns-watch'`)).rowCount ?? 0;

  bind.change(`update delete ${name} A`, `add ${name} 60 A 127.0.0.9`);
  const env = { DNS_SERVERS: bind.server, OUTBOUND_ALLOW: '127.0.0.0/8', DNS_CHECKS: 'on' };
  expect(await holders()).toBe(0);
  const first = await world.another({ env });
  await until(async () => (await seen()).length === 1);
  expect(await seen()).toMatchObject([{ actor: 'system', data: { pointsHere: false } }]);

  const second = await world.another({ env });
  expect(await holders()).toBe(1);
  await first.close();
  bind.change(`update delete ${name} A`);
  await until(async () => (await seen()).length > 1);
  expect((await seen()).map(({ data }) => data['outcome'])).toEqual(['found', 'none']);
  await second.close();
  expect(await holders()).toBe(0);
});
