// covers: DB-01
import { openTarget } from '../../apps/backend/src/databases/target';
import { heldBytes } from '../../testing/held-memory';
import { startHostileDatabase, type HostileDatabase } from '../../testing/hostile-database';
import { fault, moment, within } from './fault';

const dialects = ['postgresql', 'mysql'] as const;
const endless = ['rows', 'bytes', 'claim', 'greeting'] as const;
const MEGABYTE = 1024 * 1024;

const opened = ({ port }: HostileDatabase, dialect: (typeof dialects)[number], signal?: AbortSignal) =>
  openTarget(
    { dialect, host: '127.0.0.1', port, user: 'shop', password: 'secret', database: 'shop' },
    { connectMs: 10_000, lockMs: 1000, ...(signal && { signal }) },
  );

fault({
  fault: 'a database that answers without end',
  must: 'the answer is refused after 32 MB at most, and the process stays small',
  trial: async (turn) => {
    const before = heldBytes();
    for (const dialect of dialects) {
      const database = await startHostileDatabase(dialect, endless[turn % endless.length] ?? 'rows');
      const refused = await opened(database, dialect)
        .then((target) => target.query('select 1', [], Infinity))
        .then(() => 'answered', String);
      await database.stop();
      if (refused === 'answered') throw new Error('an endless answer was taken');
    }
    const grown = Math.round((heldBytes() - before) / MEGABYTE);
    if (grown > 400) throw new Error(`the process grew by ${grown} MB`);
    return `${grown} MB`;
  },
});

/** Without end, with a wrong count, of an unknown kind, of no length. */
const broken = ['4500000004', '4e0000000553', '520000000800000063', '540000000680ff', '4400000000'];
fault({
  fault: 'a database that answers with a broken message',
  must: 'the connection is closed, and the process goes on',
  trial: async (turn) => {
    const answer = Buffer.from(broken[turn % broken.length] ?? '', 'hex');
    const database = await startHostileDatabase('postgresql', 'broken', answer);
    const target = await opened(database, 'postgresql');
    const said = await target.query('select 1', [], Infinity).then(() => 'answered', String);
    await target.end();
    await database.stop();
    if (said === 'answered') throw new Error('a broken message was taken');
  },
});

fault({
  fault: 'a database that signs in and then is silent',
  must: 'a question ends within 5 s of its cancel, on both engines',
  trial: async (turn) => {
    let longest = 0;
    for (const dialect of dialects) {
      const cancel = new AbortController();
      const database = await startHostileDatabase(dialect, 'silent');
      const target = await opened(database, dialect, cancel.signal);
      const asked = database.asked();
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      void target.query('select 1', [], Infinity).then(over, over);
      await asked;
      setTimeout(() => cancel.abort(new Error('cancelled')), moment(turn, 200));
      longest = Math.max(longest, await within(5000, 'the end of the question', () => isOver));
      await target.end();
      await database.stop();
    }
    return `${longest} ms`;
  },
});
