import { Pool } from 'pg';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { migrate } from '../database';
import { DomainError, NameNotClaimed } from '../errors';
import { Claims } from './claims';
import { UniqueNames } from './unique-names';
import { claimsTables } from './claims.tables';

const workspace = 'w';

describe('a thing with a unique name', () => {
  let postgres: TestPostgres;
  let pool: Pool;
  let borne: Map<string, string>;
  let names: UniqueNames;

  /** Acts like a feature's command: refuses a name without a claim, and otherwise records it. */
  const edit =
    (id: string, name: string, work: () => void = () => undefined) =>
    async ({ nameClaimed }: { nameClaimed?: true }) => {
      if (name !== borne.get(id) && !nameClaimed) throw new NameNotClaimed('thing', name);
      work();
      borne.set(id, name);
      return name;
    };
  const rename = (id: string, name: string, work?: () => void) =>
    names.renamed({ id, workspace, name }, edit(id, name, work));
  const claimed = async () =>
    (await pool.query<{ key: string; holder: string }>('select key, holder from app.claims order by key'))
      .rows;

  beforeAll(async () => {
    postgres = await startTestPostgres();
    pool = new Pool({ connectionString: postgres.url, max: 4 });
    await migrate(pool, claimsTables.steps);
  });
  beforeEach(async () => {
    await pool.query('delete from app.claims');
    borne = new Map();
    names = new UniqueNames(new Claims(pool), {
      scope: 'thing-name',
      field: 'name',
      taken: 'another thing has this name',
      bearers: '',
      nameOf: (_workspace, id) => Promise.resolve(borne.get(id)),
    });
    for (const [id, name] of [
      ['a', 'Old'],
      ['b', 'Other'],
    ] as const)
      await names.withClaimedName(workspace, name, id, () => edit(id, name)({ nameClaimed: true }));
  });
  afterAll(async () => {
    await pool.end();
    await postgres.stop();
  });

  it('frees its old name when it gets another one', async () => {
    expect(await rename('a', 'New')).toBe('New');
    expect(await claimed()).toEqual([
      { key: 'new', holder: 'a' },
      { key: 'other', holder: 'b' },
    ]);
  });

  it('keeps the claim when only the capitals of its name change', async () => {
    await rename('a', 'OLD');
    expect(await claimed()).toContainEqual({ key: 'old', holder: 'a' });
  });

  it('has the name of another thing although spaces are around it', async () => {
    await expect(rename('a', ' other ')).rejects.toMatchObject({
      data: { name: 'another thing has this name' },
    });
  });

  it('is edited without a look at the claims while it keeps its name', async () => {
    await pool.query('delete from app.claims');
    expect(await rename('a', 'Old')).toBe('Old');
    expect(await claimed()).toEqual([]);
  });

  it('does not get the name of another thing', async () => {
    await expect(rename('a', 'OTHER')).rejects.toMatchObject({
      data: { name: 'another thing has this name' },
    });
    expect(borne.get('a')).toBe('Old');
  });

  it('leaves the new name free when the edit is refused', async () => {
    const refuse = () => {
      throw new DomainError('unprocessable', 'no');
    };
    await expect(rename('a', 'New', refuse)).rejects.toThrow('no');
    expect((await claimed()).map(({ key }) => key)).toEqual(['old', 'other']);
  });

  it('keeps the claim when nobody knows whether the edit was recorded', async () => {
    const fail = () => {
      throw new Error('connection lost');
    };
    await expect(rename('a', 'New', fail)).rejects.toThrow('connection lost');
    expect((await claimed()).map(({ key }) => key)).toEqual(['new', 'old', 'other']);
  });

  describe('with many others at once', () => {
    const record = (id: string, name: string) => ({
      id,
      name,
      work: () => edit(id, name)({ nameClaimed: true }),
    });

    it('is refused at its own field, and keeps none of the others from their names', async () => {
      const results = await names.withClaimedNames(workspace, [
        record('c', 'New'),
        record('d', ' other '),
        record('e', 'NEW'),
        record('a', 'Old'),
      ]);
      const taken = { status: 'rejected', reason: { data: { name: 'another thing has this name' } } };
      const done = (value: string) => ({ status: 'fulfilled', value });
      expect(results).toMatchObject([done('New'), taken, taken, done('Old')]);
      expect([...borne.keys()]).toEqual(['a', 'b', 'c']);
    });

    it('takes over a name that a crash has left behind', async () => {
      borne.delete('b');
      await pool.query(
        `update app.claims set claimed_at = claimed_at - interval '1 hour' where holder = 'b'`,
      );
      expect(await names.withClaimedNames(workspace, [record('c', 'Other')])).toEqual([
        { status: 'fulfilled', value: 'Other' },
      ]);
      expect(await claimed()).toContainEqual({ key: 'other', holder: 'c' });
    });

    it('leaves its name free when its work is refused', async () => {
      const refused = () => Promise.reject(new DomainError('unprocessable', 'no'));
      await names.withClaimedNames(workspace, [{ id: 'c', name: 'New', work: refused }, record('d', 'More')]);
      expect((await claimed()).map(({ key }) => key)).toEqual(['more', 'old', 'other']);
    });

    it('is claimed without work as well, and says why not by the thing', async () => {
      const refused = await names.claimAll(workspace, [
        { id: 'c', name: 'New' },
        { id: 'd', name: 'Other' },
      ]);
      expect([...refused].map(([id, { data }]) => [id, data])).toEqual([
        ['d', { name: 'another thing has this name' }],
      ]);
      expect(await claimed()).toContainEqual({ key: 'new', holder: 'c' });
    });
  });
});
