/** Before the tests in Node: the folder of the shared Postgres, and the programs of the back end's threads and children. */
import { bundle } from '../bundle.mjs';
import { setUp } from './postgres-folder.mjs';

export default async function setUpNode() {
  await Promise.all([
    setUp(),
    bundle('apps/backend/src/thread.ts'),
    bundle('apps/backend/src/api-process.ts'),
  ]);
}
