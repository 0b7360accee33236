// covers: DOM-02
import { screen } from '@testing-library/react';
import { answerWith } from '../../../testing/network';
import { renderPage, sessionOf } from '../../../testing/render';
import { Pointing } from './Pointing';

const server = { alias: 'web-1', host: '10.0.0.3' };
const answerOf = (address: string) => ({
  body: { outcome: 'found', address, addresses: [{ address, family: 4 }], timestamp: 'now' },
});

test('repeats the look-up of a name that points elsewhere until it points to the server', async () => {
  const { calls, on } = answerWith({
    'GET /api/dns/ipFromHostname': answerOf('192.0.2.9'),
    'POST /api/workspace/detail': { body: { dns: { resolvers: [], ttl: 300 }, revision: 1 } },
  });
  renderPage(<Pointing typed="shop.example.org" server={server} againMs={10} />, {
    session: sessionOf('admin'),
  });
  expect(await screen.findByText('differs from web-1')).toBeVisible();
  on('GET /api/dns/ipFromHostname', answerOf('10.0.0.3'));
  expect(await screen.findByText('points to web-1')).toBeVisible();
  const asked = calls.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(calls).toHaveLength(asked);
});
