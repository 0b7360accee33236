/** Saved requests: a list, a page that sends them and shows their answers, and what they take their values from. */
import {
  request,
  requestCollection,
  requestParam,
  requestSecret,
  requestVariable,
} from '@quarterdeck/events';
import { IconArrowsExchange, IconFolders, IconKey, IconVariable } from '@tabler/icons-react';
import { Route } from 'react-router';
import { below, plainPath } from '../../core/paths';
import { EnvBadge } from '../../records/EnvBadge';
import { RecordArea, type Cells, type View } from '../../records/kit';
import { RunsOf } from '../../records/runs';
import { Dim } from '../../ui/Note';
import { AnswerPage } from './AnswerPage';
import { CollectionPanel } from './CollectionPanel';
import { ImportPage } from './ImportPage';
import { ParamTable } from './ParamTable';
import { PastTab } from './PastTab';
import { RequestList } from './RequestList';
import { RequestOverview } from './RequestOverview';
import { ProductLink, type RequestView } from './request-words';

const cells: Cells = {
  product: (view) =>
    view['product'] === null ? <Dim>none</Dim> : <ProductLink request={view as unknown as RequestView} />,
};
const envCells: Cells = { env: ({ env }) => <EnvBadge id={(env as { id: number }).id} /> };

const paramsPath = (id: string): string => plainPath(request, id, below.requestParam);

const Params = ({ view: { id } }: { view: View }) => (
  <RecordArea
    noun={requestParam}
    base={paramsPath(id)}
    parents={{ request: id }}
    icon={IconVariable}
    empty="What the request is sent with, and what is read from its answer, will appear here."
    consequences="Answers keep the inputs that they were sent with. You can undo this."
    list={<ParamTable request={id} base={paramsPath(id)} />}
  />
);

const others = (
  <>
    <Route
      path="collection/*"
      element={
        <RecordArea
          noun={requestCollection}
          icon={IconFolders}
          description="Requests that belong together and can be sent one after the other."
          empty="Add a collection, and choose it in the requests that belong to it."
          consequences="Its requests stay, without a collection. You can undo this."
          summary={({ id, name }) => <CollectionPanel id={id} name={String(name)} />}
        />
      }
    />
    <Route
      path="variable/*"
      element={
        <RecordArea
          noun={requestVariable}
          icon={IconVariable}
          description="Values that requests name as {{name}}, one for each environment."
          empty="Add the address of each environment as base_url, and write {{base_url}} as the host of requests."
          consequences="Requests that name it can no longer be sent. You can undo this."
          cells={envCells}
        />
      }
    />
    <Route
      path="secret/*"
      element={
        <RecordArea
          noun={requestSecret}
          icon={IconKey}
          description="Encrypted values that requests name as {{secret.name}}. They are masked in answers."
          empty="Add a token, and write Bearer {{secret.token}} as the value of a parameter Authorization."
          consequences="Requests that name it can no longer be sent. You can undo this."
          cells={envCells}
        />
      }
    />
    <Route path="import" element={<ImportPage />} />
    <Route path=":id/answer/:run" element={<AnswerPage />} />
  </>
);

export default function Requests() {
  return (
    <RecordArea
      noun={request}
      icon={IconArrowsExchange}
      empty="Save a request to another system, and send it from here whenever you need it."
      consequences="Its parameters go with it; its answers and runs stay. You can undo this."
      list={<RequestList />}
      pages={others}
      cells={cells}
      arrange={(fields, view) => (
        <RequestOverview
          request={view as unknown as RequestView}
          fields={fields}
          paramsAt={paramsPath(view.id)}
        />
      )}
      tabs={({ view }) => [
        { id: below.requestParam, label: 'Parameters', area: true, content: () => <Params view={view} /> },
        { id: 'past', label: 'Past', content: () => <PastTab request={view as unknown as RequestView} /> },
        {
          id: 'runs',
          label: 'Runs',
          content: () => <RunsOf kind="request" id={view.id} name={String(view.name)} />,
        },
      ]}
    />
  );
}
