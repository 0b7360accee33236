/** Sends sampled requests to an endpoint as it is and as it is typed, and shows in what the answers differ. */
import { isWriting, type Endpoint } from '@quarterdeck/api';
import { apiInstances, type ApiReplay, type ReplayedRequest, type Sent } from '@quarterdeck/contract';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconInfoCircle,
  IconRepeat,
  type Icon,
} from '@tabler/icons-react';
import { useState } from 'react';
import { PresentOnly } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { Bullets } from '../../ui/List';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { Dim, Mono, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { StateBadge } from '../../ui/StateBadge';
import type { Tone } from '../../ui/tone';
import { useAction } from '../../ui/use-action';
import type { EndpointView, InstanceView } from './instance-view';
import { spent } from './spent';

const LOOK_MS = 10_000;
const KEPT =
  'Both definitions answer the latest GET requests with the rows of today, and only read. Values of queries are kept for an hour at most, in the memory of the console, and are not shown.';

const verdicts: Readonly<Record<ApiReplay['verdict'], { tone: Tone; icon: Icon; label: string }>> = {
  same: { tone: 'good', icon: IconCircleCheck, label: 'No differences' },
  partly: { tone: 'info', icon: IconInfoCircle, label: 'Not all compared' },
  differs: { tone: 'warn', icon: IconAlertTriangle, label: 'Differences' },
  unproven: { tone: 'quiet', icon: IconCircleDashed, label: 'Nothing proved' },
};

const pair = (before: string | number, after: string | number): string =>
  before === after ? String(before) : `${before} → ${after}`;

const linesOf = ({ shape, value }: ReplayedRequest): string[] => [
  ...shape.map(({ path, before, after }) => `${path || 'answer'}: ${before} → ${after}`),
  ...(value ? [`value of ${value.path || 'answer'}: ${value.before} → ${value.after}`] : []),
];

const Differences = ({ of }: { of: ReplayedRequest }) => {
  if (of.unproven !== undefined) return <Dim>Proves nothing: {of.unproven}.</Dim>;
  const lines = linesOf(of);
  if (lines.length === 0)
    return <Dim>{of.before.status === of.after.status ? 'none' : 'only the status'}</Dim>;
  return (
    <Bullets aria-label="Differences">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Bullets>
  );
};

const Report = ({ of: { verdict, message, requests } }: { of: ApiReplay }) => (
  <>
    <Note mt={12} mb={12} role="status">
      <StateBadge state={verdict} {...verdicts[verdict]} /> {message}
    </Note>
    {requests.length > 0 && (
      <PlainTable label="Replayed requests">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">As</th>
            <th scope="col">Status</th>
            <th scope="col">Differences</th>
            <th scope="col">Duration</th>
          </tr>
        </thead>
        <tbody>
          {requests.map((one, at) => (
            // Two requests that differ only in values of their queries look the same.
            <tr key={`${at} ${one.request}`}>
              <th scope="row">
                <Mono>{one.request}</Mono>
              </th>
              <td>{one.as}</td>
              <td>{pair(one.before.status, one.after.status)}</td>
              <td>
                <Differences of={one} />
              </td>
              <td>{pair(spent(one.before.ms), spent(one.after.ms))}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    )}
  </>
);

interface ReplaySectionProps {
  instance: InstanceView;
  view: EndpointView;
  /** What is typed, without problems. The same object until something is changed. */
  typed: Sent<typeof apiInstances.replay>['data'];
}

const canReplay = ({ method, blocks }: Pick<Endpoint, 'method' | 'blocks'>): boolean =>
  method === 'GET' && !blocks.some(isWriting);

const Replayable = ({ instance, view, typed }: ReplaySectionProps) => {
  const query = useAnswer(
    apiInstances.traffic,
    { instance: { uuid: instance.id } },
    { pollingInterval: LOOK_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  const [replay] = useChange(apiInstances.replay);
  const { act, busy, failure, dismiss } = useAction();
  const [report, setReport] = useState<{ typed: unknown; of: ApiReplay }>();
  const send = () =>
    act({
      send: () =>
        replay({ instance: { uuid: instance.id }, endpoint: { uuid: view.id }, data: typed }).unwrap(),
      done: (of) => setReport({ typed, of }),
      failed: 'The requests could not be replayed',
    });
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataView query={query} what="Sampled requests">
        {({ endpoints }) => {
          const samples = endpoints.find(({ endpoint }) => endpoint === view.id)?.samples ?? 0;
          return samples === 0 ? (
            <Note>
              Nothing to replay: nobody has called this endpoint with GET within the last hour, or since this
              console process began. Send a request in the tab Try it, or wait for callers.
            </Note>
          ) : (
            <>
              <Note mb={12}>{KEPT}</Note>
              <Action icon={IconRepeat} variant="default" loading={busy} does={send}>
                Replay {count(samples, 'sampled request')}
              </Action>
            </>
          );
        }}
      </DataView>
      {report?.typed === typed && <Report of={report.of} />}
    </>
  );
};

export const ReplaySection = (props: ReplaySectionProps) => (
  <Section title="Replay">
    <PresentOnly what="A replay">
      {[props.view, props.typed].every((one) => canReplay(one as unknown as Endpoint)) ? (
        <Replayable {...props} />
      ) : (
        <Note>Only endpoints that read, with the method GET, can be replayed.</Note>
      )}
    </PresentOnly>
  </Section>
);
