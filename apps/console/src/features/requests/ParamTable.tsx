/** The parameters of a request: what is sent with it, and what is read from its answer. */
import { callsOf } from '@quarterdeck/contract';
import { requestParam } from '@quarterdeck/events';
import { IconPlus, IconVariable } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import type { QueryLike } from '../../ui/query';
import { placeOf, typeOf, type ParamView } from './request-words';

const columns: readonly Column<ParamView>[] = [
  {
    id: 'direction',
    header: 'Direction',
    value: ({ inOrOut }) => (inOrOut ? 'Input' : 'Output'),
    priority: 3,
  },
  { id: 'input', header: 'Input', value: ({ input }) => placeOf(input), priority: 1 },
  { id: 'output', header: 'Output', value: ({ output }) => placeOf(output), priority: 2 },
  { id: 'optional', header: 'Is Optional', value: ({ isOptional }) => (isOptional ? 'yes' : 'no') },
  { id: 'type', header: 'Data Type', value: (param) => typeOf(param) },
];

export const ParamTable = ({ request, base }: { request: string; base: string }) => {
  const navigate = useNavigate();
  const query = useAnswer(callsOf(requestParam).list, { request: { id: request } });
  const detail = ({ id }: ParamView): string => `${base}/${id}/detail`;
  const add = (
    <DisabledInPast>
      <Action icon={IconPlus} variant="default" does={`${base}/add`}>
        Add parameter
      </Action>
    </DisabledInPast>
  );
  return (
    <Section title="Parameters" aria-label="Parameters of the request" actions={add}>
      <DataTable
        label="Parameters"
        query={query as unknown as QueryLike<ParamView[]>}
        columns={columns}
        urlKey="params"
        rowKey={({ id }) => id}
        href={detail}
        onOpen={(row) => void navigate(detail(row))}
        empty={
          <EmptyState title="No parameters yet" icon={IconVariable}>
            What the request is sent with, and what is read from its answer, will appear here.
          </EmptyState>
        }
      />
    </Section>
  );
};
