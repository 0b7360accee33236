/** Page to start a command or script on many servers, and the list of earlier runs. */
import { IconServerBolt } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { AddressTabs } from '../../ui/DetailPage';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RunTable } from '../../records/runs';
import { NewFleetRun } from './NewFleetRun';

const fleets = { kind: 'fleet' } as const;

export const FleetPage = () => (
  <>
    <PageHeader
      title="Fleet runs"
      description={
        <>
          Run one command or script on many servers and compare the results. A failure on one server does not
          stop the others. <Link to={paths.servers()}>Servers</Link>,{' '}
          <Link to={paths.scripts()}>Scripts</Link>
        </>
      }
    />
    <AddressTabs
      tabs={[
        { id: 'new', label: 'New run', content: () => <NewFleetRun /> },
        {
          id: 'earlier',
          label: 'Earlier runs',
          content: () => (
            <RunTable
              filter={fleets}
              label="Earlier runs"
              urlKey="runs"
              empty={
                <EmptyState title="No fleet runs yet" icon={IconServerBolt}>
                  Fleet runs will appear here with all results.
                </EmptyState>
              }
            />
          ),
        },
      ]}
    />
  </>
);
