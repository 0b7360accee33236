/** The answers to a request, newest first. */
import { requestLogs, type RequestLog } from '@quarterdeck/contract';
import { IconHistory } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { EnvBadge } from '../../records/EnvBadge';
import { Section } from '../../ui/Card';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Mono, Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { durationInWords, StatusBadge } from './request-words';

const SHOWN = 120;
/** As many as the call answers. */
const MAX_LISTED = 200;

const beginningOf = ({ responseBody, removed, size }: RequestLog): string => {
  if (removed) return 'removed by retention';
  if (size === 0) return 'empty';
  const line = responseBody.replaceAll(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
};

const columns: readonly Column<RequestLog>[] = [
  {
    id: 'date',
    header: 'Date',
    value: ({ logDateAdded }) => logDateAdded,
    cell: ({ logDateAdded }) => <RelativeTime at={logDateAdded} />,
    priority: 1,
  },
  {
    id: 'body',
    header: 'Response body',
    value: beginningOf,
    cell: (log) => <Mono>{beginningOf(log)}</Mono>,
    priority: 3,
  },
  {
    id: 'inputs',
    header: 'Inputs',
    value: ({ inputs }) => inputs,
    cell: ({ inputs }) => <Mono>{inputs}</Mono>,
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => status,
    cell: ({ status }) => <StatusBadge status={status} />,
    priority: 2,
  },
  { id: 'ms', header: 'Took', value: ({ ms }) => ms, cell: ({ ms }) => durationInWords(ms), align: 'right' },
  {
    id: 'checks',
    header: 'Checks',
    value: ({ checks: { passed, of } }) => (of === 0 ? '' : `${passed} of ${of}`),
  },
  {
    id: 'env',
    header: 'Environment',
    value: ({ env = 0 }) => env,
    cell: ({ env }) => (env === undefined ? null : <EnvBadge id={env} />),
  },
];

export const LogTable = ({ request }: { request: string }) => {
  const navigate = useNavigate();
  const query = useAnswer(requestLogs.list, { id: request });
  const open = ({ id }: RequestLog): string => paths.requestAnswer(request, id);
  return (
    <Section title="Logs" aria-label="Answers so far">
      {query.data?.length === MAX_LISTED && <Note mb={8}>The newest {MAX_LISTED} answers are listed.</Note>}
      <DataTable
        label="Logs"
        query={query}
        columns={columns}
        urlKey="logs"
        rowKey={({ id }) => id}
        href={open}
        onOpen={(log) => void navigate(open(log))}
        empty={
          <EmptyState title="No answers yet" icon={IconHistory}>
            What this request is answered will appear here, each time that it is sent.
          </EmptyState>
        }
      />
    </Section>
  );
};
