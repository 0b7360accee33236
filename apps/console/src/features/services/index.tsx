/** The services of a product: the units that are deployed, with their repositories and servers. */
import { locations } from '@quarterdeck/contract';
import { product as productNoun, service, serviceDatabases } from '@quarterdeck/events';
import { IconBox } from '@tabler/icons-react';
import { Link, Route } from 'react-router';
import { useAsk } from '../../core/calls';
import { below, paths, plainPath } from '../../core/paths';
import { RecordArea, type Cells, type RecordTabs, type ProductAreaProps } from '../../records/kit';
import { RunningStates } from '../../records/verdicts';
import { part } from '../../ui/part';
import { RequireRole } from '../../ui/RequireRole';
import { sourceTabs } from './source-tabs';

const ServiceAdd = part(
  () => import('./ServiceAdd').then((page) => ({ default: page.ServiceAdd })),
  'Loading the form',
);

const databaseCell =
  (key: (typeof serviceDatabases)[number]): Cells[string] =>
  ({ product, [key]: used }) => {
    const { id, name } = (used ?? {}) as { id?: string; name?: string };
    if (id === undefined || name === undefined) return undefined;
    return <Link to={plainPath(productNoun, String(product), `${below.database}/${id}/detail`)}>{name}</Link>;
  };

const cells: Cells = {
  ...Object.fromEntries(serviceDatabases.map((key) => [key, databaseCell(key)])),
  server: ({ id: of, server }) => {
    const { id, name } = (server ?? {}) as { id?: string; name?: string };
    return (
      <>
        {id !== undefined && name !== undefined && <Link to={paths.server(id)}>{name}</Link>}
        <RunningStates of={({ service: { id: one } }) => one === of} />
      </>
    );
  },
};

/** With what runs there. */
const ON_CARD = ['server'] as const;

interface ServicesProps extends ProductAreaProps {
  tabs?: RecordTabs;
}

export const Services = ({ base, product, tabs }: ServicesProps) => {
  const [askLocations] = useAsk(locations.listByService);
  return (
    <RecordArea
      noun={service}
      base={base}
      parents={{ product }}
      icon={IconBox}
      empty="A service names its repositories and the server that it is deployed to."
      consequences="Its repositories stay as they are. Its app tokens are revoked for good; you can undo the rest."
      cells={cells}
      uses={async ({ id }) =>
        (await askLocations({ service: { id } }).unwrap()).flatMap(({ by, domain, location }) =>
          by === 'link' ? `${domain.serverName}${location}` : [],
        )
      }
      onCard={ON_CARD}
      tabs={(context) => [...sourceTabs(context), ...(tabs?.(context) ?? [])]}
      pages={
        <Route
          path="add"
          element={
            <RequireRole least="admin">
              <ServiceAdd base={base} product={product} />
            </RequireRole>
          }
        />
      }
    />
  );
};
