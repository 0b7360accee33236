/** Facts about this installation. */
import type { Tables } from './migrations';

export const installationTables: Tables = {
  steps: [
    {
      name: '001-installation',
      sql: `create table app.installation (key text primary key, value text not null)`,
    },
  ],
};
