import { IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { EmptyState } from '../../ui/EmptyState';
import { RunTable } from './RunTable';

/** The runs on one subject, on its detail page. */
export const RunsOf = ({ kind, id, name }: { kind: string; id: string; name: string }) => {
  const filter = useMemo(() => ({ subject: { kind, id } }), [kind, id]);
  return (
    <RunTable
      key={id}
      filter={filter}
      label={`Runs on ${name}`}
      // A server's list includes runs on its domains, so it keeps the subject column.
      {...(kind === 'server' ? {} : { of: 'subject' as const })}
      urlKey="runs"
      empty={
        <EmptyState title="No runs yet" icon={IconPlayerPlay}>
          What runs on {name} will appear here with its output.
        </EmptyState>
      }
    />
  );
};
