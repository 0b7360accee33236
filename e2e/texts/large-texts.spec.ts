/**
 * The largest text that the rules allow, in all languages, as one event in EventStoreDB: about 2 MB.
 *
 * covers: CMS-01
 */
import { languageCodes } from '@quarterdeck/texts';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { openWorld, type World } from '../backend/world';
import { textsOfNewProduct } from './texts-world';

const MAX_LENGTH = 50_000;
/** A sign of three bytes in UTF-8 for each character of JavaScript, and one of four for two. */
const signs = ['語', '😀'];

let log: EventStoreDbServer;
let world: World;

beforeAll(async () => {
  log = await startEventStoreDb();
  world = await openWorld({ env: { EVENT_STORE_URL: log.url } });
});
afterAll(async () => {
  await world?.end();
  await log?.stop();
});

test.each(signs)(
  'a content of 50,000 characters %s in 14 languages is recorded and read back',
  async (sign) => {
    const ada = await world.backend.signIn({ email: 'ada@example.org' });
    const own = await textsOfNewProduct(ada);
    const longest = (code: string): string => code + sign.repeat((MAX_LENGTH - code.length) / sign.length);
    const file = [
      ['key', ...languageCodes],
      ['terms', ...languageCodes.map(longest)],
    ].map((cells) => cells.join(','));
    // A file may be larger than the body of a call that adds one text.
    const { state } = await own.import('terms.csv', file.join('\n'), { isCms: true });
    expect(state).toMatchObject({ state: 'succeeded' });
    await world.backend.caughtUp();
    const [row] = await own.list(true);
    const { units } = await own.detail(row!.id);
    expect(units.map(({ name }) => name)).toEqual(languageCodes.map(longest));
    const recorded = log.log.bytes;
    expect(recorded).toBeGreaterThan(1_000_000);
  },
);
