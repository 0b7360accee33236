/** One endpoint, or a new one: when it is called, by whom, and what it does. What is wrong is said while it is typed. */
import { callsOf } from '@quarterdeck/contract';
import { apiInstance, endpoint } from '@quarterdeck/events';
import { IconTrash } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { HistoryOf } from '../../records/history';
import { useRemoval } from '../../records/kit';
import { ActionFailure } from '../../records/runs';
import { DataView } from '../../ui/DataView';
import { DetailPage } from '../../ui/DetailPage';
import { EndpointEditor } from './EndpointEditor';
import { NotFound } from './InstancePage';
import type { EndpointView, InstanceView } from './instance-view';
import { TryTab } from './TryTab';

interface EndpointPageProps {
  base: string;
  product: string;
}

interface OneProps {
  instance: InstanceView;
  base: string;
  view: EndpointView;
}

const Existing = ({ instance, base, view }: OneProps) => {
  const list = `${base}/${instance.id}/detail/endpoints`;
  const { remove, failure, dismiss } = useRemoval({
    noun: endpoint,
    base: list,
    view: { ...view },
    question: 'Are you sure you want to delete the endpoint?',
    consequences: 'You can undo this.',
  });
  const name = `${view.method} ${view.path}`;
  return (
    <DetailPage
      back={{ to: list, label: instance.name }}
      name={name}
      actions={[
        {
          label: 'Delete endpoint',
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => void remove(),
        },
      ]}
      tabs={[
        {
          id: 'definition',
          label: 'Definition',
          content: () => <EndpointEditor instance={instance} base={base} view={view} />,
        },
        { id: 'try', label: 'Try it', content: () => <TryTab instance={instance} view={view} /> },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="endpoint" id={view.id} name={name} />,
        },
      ]}
    >
      <ActionFailure failure={failure} onClose={dismiss} />
    </DetailPage>
  );
};

const Found = ({ instance, base, id }: { instance: InstanceView; base: string; id: string }) => {
  const query = useAnswer(callsOf(endpoint).detail, { id });
  const { data, error } = query;
  const isElsewhere = data !== undefined && data.apiInstance !== instance.id;
  if (isElsewhere || (error?.status === 404 && !data))
    return <NotFound says="endpoint not found" base={`${base}/${instance.id}/detail/endpoints`} />;
  return (
    <DataView query={query} what="Endpoint">
      {(view) => <Existing key={view.id} instance={instance} base={base} view={view} />}
    </DataView>
  );
};

export const EndpointPage = ({ base, product }: EndpointPageProps) => {
  const { id = '', endpoint: endpointId } = useParams();
  const query = useAnswer(callsOf(apiInstance).detail, { id });
  const { data, error } = query;
  const isElsewhere = data !== undefined && data.product !== product;
  if (isElsewhere || (error?.status === 404 && !data)) return <NotFound says="uuid not found" base={base} />;
  return (
    <DataView query={query} what="Instance">
      {(instance) =>
        endpointId === undefined ? (
          <DetailPage
            back={{ to: `${base}/${id}/detail/endpoints`, label: instance.name }}
            name="Add endpoint"
          >
            <EndpointEditor instance={instance} base={base} />
          </DetailPage>
        ) : (
          <Found instance={instance} base={base} id={endpointId} />
        )
      }
    </DataView>
  );
};
