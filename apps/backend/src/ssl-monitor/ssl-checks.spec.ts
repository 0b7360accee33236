// covers: DOM-09
import {
  noSslChecks,
  REMOVED,
  type SslCheck,
  type SslCounters,
  type SslLabel,
  type SslRenewal,
} from '@quarterdeck/projections';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { startTestPostgres, type TestPostgres } from '../../../../testing/postgres';
import { migrate } from '../platform/database/migrations';
import { counted, SslChecks, sslChecksOf, sslCountersOf } from './ssl-checks';
import { sslTables } from './ssl.tables';

/** What the database counts, counted one by one. */
const countersOf = (checks: readonly SslCheck[]): SslCounters =>
  checks.reduce((sum, one) => counted(sum, one), { ...noSslChecks, total: checks.length });

const check = (label?: SslLabel, is?: SslRenewal['is']): SslCheck => ({
  domain: '1',
  serverName: 'example.org',
  ...(label && { found: { label, valid: label === 'valid' || label === 'expiring' } }),
  ...(is && { renewal: { is } }),
});

describe('the counters of an SSL run', () => {
  it('are zero without domains', () => {
    expect(countersOf([])).toEqual(noSslChecks);
  });

  it('count a label as soon as it is found, and renewals by outcome', () => {
    const checks = [
      check(),
      check('valid'),
      check('unchecked'),
      check('expiring', 'renewed'),
      check('expiring', 'underWay'),
      check('expired', 'failed'),
      check('expired', 'putOff'),
      check('expired', 'skipped'),
      check('valid', 'reloaded'),
    ];
    expect(countersOf(checks)).toEqual({
      total: 9,
      checked: 8,
      valid: 2,
      expiring: 2,
      expired: 3,
      unreachable: 1,
      invalid: 0,
      renewed: 1,
      failed: 1,
    });
  });

  it('count unreachable domains and invalid certificates separately from failed renewals', () => {
    const found = (label: SslLabel, valid: boolean, code?: string): SslCheck => ({
      ...check(),
      found: { label, valid, ...(code !== undefined && { code }) },
    });
    const checks = [
      found('unchecked', false, 'ECONNREFUSED'),
      found('unchecked', false, 'ETIMEDOUT'),
      found('unchecked', false, REMOVED),
      found('valid', false, 'DEPTH_ZERO_SELF_SIGNED_CERT'),
      found('expiring', false, 'NAME_MISMATCH'),
      found('expired', false, 'CERT_HAS_EXPIRED'),
      found('valid', true),
    ];
    expect(countersOf(checks)).toEqual({
      ...noSslChecks,
      // Each is counted once: one with a wrong name is not expiring as well.
      total: 7,
      checked: 7,
      valid: 1,
      expired: 1,
      unreachable: 2,
      invalid: 2,
    });
  });

  it('are the same when they are updated step by step', () => {
    const checks = [check('expired', 'renewed'), check('expiring', 'failed'), check('valid')];
    const found = checks.map(({ found }) => ({ found })) as SslCheck[];
    const renewals = checks.flatMap(({ renewal }) => (renewal ? [{ renewal }] : [])) as SslCheck[];
    const step = [...found, ...renewals].reduce((sum, one) => counted(sum, one), {
      ...noSslChecks,
      total: 3,
    });
    expect(step).toEqual(countersOf(checks));
  });
});

describe('the rows of a run', () => {
  const [run, other, workspace] = [uuidv7(), uuidv7(), uuidv7()];
  const subjectOf = (name: string) => ({ domain: uuidv7(), serverName: `${name}.example.org` });
  const [a, b, c] = [subjectOf('a'), subjectOf('b'), subjectOf('c')];
  const subjects = [a, b, c];
  let postgres: TestPostgres;
  let pool: Pool;
  let rows: SslChecks;
  beforeAll(async () => {
    postgres = await startTestPostgres();
    pool = new Pool({ connectionString: postgres.url });
    await migrate(pool, sslTables.steps);
    rows = new SslChecks(pool, run, workspace);
  });
  afterAll(async () => {
    await pool?.end();
    await postgres?.stop();
  });

  test('are created once: another process finds the same domains in the same order', async () => {
    await rows.begin(subjects);
    await rows.begin([...subjects, { domain: uuidv7(), serverName: 'new.example.org' }]);
    expect(await rows.unchecked()).toEqual(subjects);
    expect(await rows.counters()).toEqual({ ...noSslChecks, total: 3 });
  });

  test('keep the first result, and report if another comes too late', async () => {
    expect(await rows.found(b.domain, { label: 'expired', valid: false })).toBe(true);
    expect(await rows.found(b.domain, { label: 'valid', valid: true })).toBe(false);
    expect(await rows.checked()).toEqual([
      { ...b, found: { label: 'expired', valid: false }, at: expect.stringMatching(/Z$/) },
    ]);
    expect(await rows.unchecked()).toEqual([a, c]);
  });

  test('show a started renewal as open until it ends', async () => {
    await rows.found(a.domain, { label: 'expiring', valid: true });
    const named = async (): Promise<string[]> => (await rows.open()).map(({ serverName }) => serverName);
    expect(await named()).toEqual(['a.example.org', 'b.example.org']);
    await rows.renewal(a.domain, { is: 'underWay', run: other });
    expect(await named()).toEqual(['a.example.org', 'b.example.org']);
    await rows.renewal(a.domain, { is: 'renewed', run: other });
    expect(await named()).toEqual(['b.example.org']);
  });

  test('are counted in the database as they are counted one by one, and belong to their workspace', async () => {
    await rows.renewal(b.domain, { is: 'failed', reason: 'no' });
    const all = await sslChecksOf(pool, workspace, run);
    expect(all.map(({ serverName }) => serverName)).toEqual(subjects.map(({ serverName }) => serverName));
    expect(await rows.counters()).toEqual(countersOf(all));
    expect(countersOf(all)).toEqual({
      ...noSslChecks,
      total: 3,
      checked: 2,
      expiring: 1,
      expired: 1,
      renewed: 1,
      failed: 1,
    });
    expect(await sslChecksOf(pool, uuidv7(), run)).toEqual([]);
    expect(await sslCountersOf(pool, uuidv7(), run)).toEqual(noSslChecks);
  });

  test("are deleted once they are older than any certificate, at the workspace's next run", async () => {
    const [elsewhere, later] = [uuidv7(), uuidv7()];
    await new SslChecks(pool, other, elsewhere).begin(subjects);
    await pool.query(`update app.ssl_checks set begun_at = clock_timestamp() - interval '89 days'`);
    await new SslChecks(pool, later, workspace).begin(subjects);
    expect(await sslChecksOf(pool, workspace, run)).toHaveLength(3);
    await pool.query(`update app.ssl_checks set begun_at = clock_timestamp() - interval '91 days'`);
    // A run that takes this long keeps its own rows.
    await new SslChecks(pool, later, workspace).begin(subjects);
    expect(await sslChecksOf(pool, workspace, run)).toEqual([]);
    expect(await sslChecksOf(pool, workspace, later)).toHaveLength(3);
    expect(await sslChecksOf(pool, elsewhere, other)).toHaveLength(3);
  });
});
