/** The port of its own of an instance, and whether this console answers there. */
import { apiInstances } from '@quarterdeck/contract';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useAnswer } from '../../core/calls';
import { Dim, Mono } from '../../ui/Note';
import type { InstanceView } from './instance-view';

const LOOK_MS = 5000;

const State = ({ id }: { id: string }) => {
  const { data } = useAnswer(
    apiInstances.traffic,
    { instance: { uuid: id } },
    { pollingInterval: LOOK_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  if (!data?.port) return null;
  const { problem } = data.port;
  return problem === undefined ? (
    <Dim>, listens</Dim>
  ) : (
    <strong role="status">, does not listen: {problem}</strong>
  );
};

export const OwnPort = ({ view: { id, port, bindTo } }: { view: InstanceView }) => {
  const isPast = useAsOf() !== undefined;
  if (!port) return <Dim>none</Dim>;
  return (
    <>
      <Mono>
        {bindTo}:{port}
      </Mono>
      {!isPast && <State id={id} />}
    </>
  );
};
