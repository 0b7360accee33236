import { Outbound } from '../platform/outbound/outbound';
import { probeSite } from './site-probe';

test('a name that cannot be resolved for a moment counts as no answer, also for TLS', async () => {
  const silent = async (): Promise<never> => {
    throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
  };
  const site = { serverName: 'app.test', host: 'web.test', ssl: true };
  const says = 'the name web.test has no address (ETIMEOUT)';
  expect(await probeSite(new Outbound([], silent), site, AbortSignal.timeout(5000))).toEqual({
    http: { ok: false, says },
    tls: { ok: false, says },
  });
});
