/** Facts about this installation. */
import { MIGRATIONS, type Tables } from './migrations';

export const installationTables: Tables = {
  steps: [
    {
      name: '001-installation',
      sql: `create table app.installation (key text primary key, value text not null)`,
    },
  ],
  rows: {
    // Leaves out the marks of `remaking.ts`. A backup has no claims, so a restore has to make them again.
    'app.installation': { kept: 'tables', only: `key not like 'remade:%'` },
    [MIGRATIONS]: { leftOut: 'the head of an archive names the steps, and a restore takes them again' },
  },
};
