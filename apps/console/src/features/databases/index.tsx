/** The databases of a product, with commands to create, connect to, dump and restore each. */
import { callsOf } from '@quarterdeck/contract';
import { database, databaseTypes, service } from '@quarterdeck/events';
import { IconDatabase } from '@tabler/icons-react';
import { useAsk } from '../../core/calls';
import { EnvBadge } from '../../records/EnvBadge';
import { RecordArea, type Cells, type ProductAreaProps } from '../../records/kit';
import { part } from '../../ui/part';
import { usersOf } from './database-users';
import { DatabaseCommands } from './DatabaseCommands';
import { JdbcUrl } from './JdbcUrl';

const Connection = part(
  () => import('./Connection').then((all) => ({ default: all.Connection })),
  'Loading the connection',
);
const TryConnection = part(
  () => import('./Connection').then((all) => ({ default: all.TryConnection })),
  'Loading the connection',
);

const DatabaseUsers = part(
  () => import('./DatabaseUsers').then((all) => ({ default: all.DatabaseUsers })),
  'Loading services',
);

const cells: Cells = { env: ({ env }) => <EnvBadge id={(env as { id: number }).id} /> };

export const Databases = ({ base, product }: ProductAreaProps) => {
  const [askServices] = useAsk(callsOf(service).list);
  return (
    <RecordArea
      noun={database}
      base={base}
      parents={{ product }}
      icon={IconDatabase}
      empty="Databases are registered once for each environment."
      consequences="The database itself stays as it is. You can undo this."
      cells={cells}
      uses={async ({ id }) =>
        usersOf(id, await askServices({ product: { id: product } }).unwrap()).map(({ name }) => name)
      }
      filling={(fill) => <JdbcUrl onRead={fill} />}
      checking={(draft, id) => <TryConnection draft={draft} id={id} />}
      tabs={({ view, isAdmin }) => [
        ...(isAdmin
          ? [
              {
                id: 'connection',
                label: 'Connection',
                content: () => (
                  <Connection
                    id={view.id}
                    name={String(view.name)}
                    product={product}
                    env={(view.env as { id: number }).id}
                  />
                ),
              },
            ]
          : []),
        {
          id: 'services',
          label: 'Used by',
          content: () => <DatabaseUsers id={view.id} product={product} />,
        },
        {
          id: 'commands',
          label: 'Commands',
          content: () => (
            <DatabaseCommands view={view} type={databaseTypes[(view.dbType as number) - 1] ?? ''} />
          ),
        },
      ]}
    />
  );
};
