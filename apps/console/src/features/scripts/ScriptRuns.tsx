import type { ScriptView } from '@quarterdeck/projections';
import { IconFileCode } from '@tabler/icons-react';
import { useMemo } from 'react';
import { RunTable } from '../../records/runs';
import { EmptyState } from '../../ui/EmptyState';

export const ScriptRuns = ({ script: { id, name } }: { script: ScriptView }) => {
  const filter = useMemo(() => ({ script: id }), [id]);
  return (
    <RunTable
      key={id}
      filter={filter}
      label={`Runs of ${name}`}
      urlKey="runs"
      empty={
        <EmptyState title="No runs yet" icon={IconFileCode}>
          Where {name} runs will appear here with the results of all servers.
        </EmptyState>
      }
    />
  );
};
