// covers: AUD-03
import { openWorld, type World } from '../backend/world';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { expectPastAsItWas, storiesOf } from './as-it-was';

let log: EventStoreDbServer;
let world: World;

beforeAll(async () => {
  log = await startEventStoreDb();
  world = await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8', EVENT_STORE_URL: log.url } });
});
afterAll(async () => {
  await world?.end();
  await log?.stop();
});

// In EventStoreDB positions have gaps, and events come from another server than the rows.
test('every call answers about the past of a log in EventStoreDB as it did when that was the present', async () => {
  const operators = [
    await world.backend.signIn({ email: 'alice@example.org' }),
    await world.backend.signIn({ workspace: 'elsewhere', email: 'eve@example.org' }),
  ];
  await expectPastAsItWas(world.backend, await storiesOf(world.backend, operators), 8);
});
