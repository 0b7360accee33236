/** A process that appends and leads until it is killed: `node leader-process.mjs <database url> <name>`. */
import { openEventStore } from '@quarterdeck/events/store';
import { ProjectionRunner } from '@quarterdeck/projections/runner';
import { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { newEvent, PROJECTIONS, registered, renamed } from './happenings';

const url = process.argv[2] ?? '';
const pool = new Pool({ connectionString: url, max: 2 });
const store = await openEventStore({ url });
const runner = new ProjectionRunner({ db: pool, connectionString: url, store, projections: PROJECTIONS });
await runner.start();
process.send?.('started');
runner.onProjected((position, events) => events && process.send?.({ applied: position }));
for (let n = 0; ; n += 1)
  await store.append(
    `server-${uuid()}`,
    [newEvent(registered(`r${n}`)), newEvent(renamed(`s${n}`))],
    'no_stream',
  );
