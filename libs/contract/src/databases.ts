/** Calls that connect to a database, in addition to the kit's calls. */
import { database } from '@quarterdeck/events';
import { databaseCreate, databaseTest, databaseTry } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { started } from './answers';
import { calls } from './call';
import { valuesOf } from './kit-examples';
import { demo, newRunId } from './demo';

const found = z
  .strictObject({
    /** `MariaDB` */
    engine: z.string(),
    version: z.string(),
    bytes: z.int(),
    tables: z.int(),
    /** The last applied version of the data model; 0 if there is none. */
    applied: z.int(),
    encrypted: z.boolean(),
    tookMs: z.int(),
  })
  .meta({ id: 'DatabaseFound' });

/** The stored secrets are taken. */
const { password: _password, clientCertificate: _own, ...withoutSecrets } = valuesOf(database, 'Shop');

export const databases = calls(database.path, 'admin', {
  test: {
    summary: 'Connects to a database and says what is there, as a recorded run',
    costs: 'waiting',
    input: databaseTest,
    example: { id: demo.database, runId: newRunId },
    answer: found.extend({ runId: z.string() }),
    stales: 'runs',
    wide: true,
    receipt: false,
  },
  try: {
    summary: 'Connects with fields that are not saved, and says what is there',
    costs: 'waiting',
    input: databaseTry,
    example: { data: withoutSecrets, id: demo.database },
    answer: found,
    stales: [],
    receipt: false,
  },
  create: {
    summary:
      'Creates a database and its user on the server, as a recorded run; the administrator is not stored',
    path: 'apply/create',
    input: databaseCreate,
    example: {
      id: demo.database,
      administrator: { username: 'root', password: 'a password' },
      runId: newRunId,
    },
    answer: started,
    stales: 'runs',
    wide: true,
    receipt: false,
  },
});
