// covers: DOM-09
import type { DomainRegistry } from '../domains';
import { Outbound } from '../platform/outbound';
import { meta } from '../platform/decisions/decider-testing';
import type { Config, Pool } from '../platform/tokens';
import { type Attempted, RateBudgets, RenewalPlans } from '../certificates';
import { SslRenewals, type RenewalDeps } from './ssl-renewals';

test('a database outage during the budget query does not end the run of all domains', async () => {
  const faults = [new Error('terminating connection due to administrator command')];
  const retryAt = new Date(Date.now() + 3_600_000).toISOString();
  const refused: Attempted = {
    type: 'CertificateRefused',
    at: new Date(),
    serverName: 'app.test',
    data: { detail: 'too many', retryAt },
  };
  const db = {
    query: async () => {
      const fault = faults.shift();
      if (fault) throw fault;
      return { rows: [refused] };
    },
  } as unknown as Pool;
  const config = { ACME_DIRECTORY_URL: 'https://ca.test/dir' } as Config;
  const never = undefined as never;
  const recorded = { serverName: 'app.test', names: [], certificate: {} };
  const registry = { domain: async () => recorded } as unknown as DomainRegistry;
  const plans = new RenewalPlans(config, db, never, new RateBudgets(db), registry, never, new Outbound());
  const said: string[] = [];
  const { signal } = new AbortController();
  const io = { print: (text: string) => void said.push(text), signal, end: signal, meta };
  const renewals = new SslRenewals({ plans } as RenewalDeps, 'run', io, async () => undefined);
  const check = { domain: 'a', serverName: 'app.test' };
  const none = async (): Promise<void> => undefined;
  expect(await renewals.perform(check, { do: 'renew', reason: 'It expired.' }, none)).toEqual({
    is: 'putOff',
    reason: expect.stringContaining('The authority asked us to wait until'),
  });
  expect(said.join('')).toContain('Renewal of app.test is put off');
});
