/**
 * IPv4 and IPv6 of a name are both compared with its server, whose sessions have a network of their own with public
 * addresses. covers: DOM-02, DOM-04
 */
import { domainVerdict, type ServerView } from '@quarterdeck/projections';
import { fieldsOf } from '../backend/world';
import { startSshd, type Sshd } from '../../testing/sshd';
import { openDomainGround, type DomainGround, type Ids } from './ground';

const [OWN, STALE] = ['2001:db8::7', '2001:db8::9'];
const network = `ip addr add 198.51.100.7/32 dev lo; ip addr add ${OWN}/128 dev lo`;

let ground: DomainGround;
let sshd: Sshd;
let web: string;

beforeAll(async () => {
  [ground, sshd] = await Promise.all([
    openDomainGround(),
    startSshd({
      config: [`ForceCommand exec unshare --net sh -c '${network}; eval "$SSH_ORIGINAL_COMMAND"'`],
    }),
  ]);
  const { host, port, username } = sshd;
  const { privateKey } = await sshd.keyFor('ed25519');
  const fields = { ...fieldsOf('web-1', { host, port, username }), privateKey };
  web = (await ground.alice.post<Ids>('server/insert', fields)).body.id;
});
afterAll(async () => {
  await ground?.end();
  await sshd?.stop();
});

const contact = async () => (await ground.alice.post('server/contact', { id: web })).status;
const found = async () =>
  (await ground.events(`server-${web}`)).filter(({ type }) => type === 'ServerAddressesChanged');

test('a contact asks the server for its own addresses, and records them once', async () => {
  expect([await contact(), await contact()]).toEqual([200, 200]);
  expect((await found()).map(({ data }) => data)).toEqual([
    {
      addresses: [
        { address: '198.51.100.7', family: 4 },
        { address: OWN, family: 6 },
      ],
      private: [],
    },
  ]);
  const { body } = await ground.alice.post<ServerView>('server/detail', { id: web });
  expect(body.addresses?.addresses.map(({ address }) => address)).toEqual(['198.51.100.7', OWN]);
});

test('a stale IPv6 address is wrong everywhere, by its family and name, until it is corrected', async () => {
  const name = `shop.${ground.bind.zone}`;
  const ipv6 = (address: string) =>
    ground.bind.change(`update delete ${name} AAAA`, `add ${name} 60 AAAA ${address}`);
  await contact();
  ipv6(OWN);
  const id = await ground.domain('shop', web);
  expect((await ground.detail(id)).dns).toMatchObject({ pointsHere: true });

  ipv6(STALE);
  await ground.bob.post('domain/dns/check', { id });
  const words = `DNS wrong: IPv6 ${STALE}`;
  const labels = [...(await ground.list()), await ground.detail(id)].map(
    (domain) => domainVerdict(domain, { now: Date.now() }).reasons[0]?.label,
  );
  expect(labels).toEqual([words, words]);
  const home = await ground.alice.post('home/overview');
  expect(JSON.stringify(home.body)).toContain(words);
  const { body } = await ground.alice.post('history/list', { subject: { category: 'domain', id } });
  expect(JSON.stringify(body)).toContain(`not of its server: ${STALE}`);
  await ground.bob.post('domain/dns/check', { id });
  const changes = (await ground.events(`domain-${id}`)).filter(({ type }) => type === 'DnsAnswerChanged');
  expect(changes).toHaveLength(1);

  ipv6(OWN);
  await ground.bob.post('domain/dns/check', { id });
  expect((await ground.detail(id)).dns).toMatchObject({ pointsHere: true });
});

test('a name with a stale IPv6 address cannot be added, and the address is named', async () => {
  const name = `stale.${ground.bind.zone}`;
  await contact();
  ground.bind.change(`add ${name} 60 A 127.0.0.1`, `add ${name} 60 AAAA ${STALE}`);
  const { status, body } = await ground.insert(name, web);
  expect([status, body.data?.['serverName']]).toEqual([
    400,
    expect.stringContaining(`${STALE} is not the server’s`),
  ]);
});
