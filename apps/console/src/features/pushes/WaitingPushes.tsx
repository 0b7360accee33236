/** The versions of a service that wait for an approval, above its deploys. */
import { pushes } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { EnvBadge } from '../../records/EnvBadge';
import { ActionFailure } from '../../records/runs';
import { Section } from '../../ui/Card';
import { Line, Lines } from '../../ui/List';
import { Dim } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { Decision } from './Decision';

export const WaitingPushes = ({ service }: { service: string }) => {
  const { data = [] } = useAnswer(pushes.list, { service: { id: service } });
  const { act, failure, dismiss } = useAction();
  const waiting = data.filter(({ state }) => state === 'waiting');
  // The refusal stays visible after another person has decided.
  if (waiting.length === 0 && !failure) return null;
  return (
    <Section title="Waiting for approval" mb={24}>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Lines aria-label="Versions that wait for approval">
        {waiting.map((push) => (
          <Line key={push.id}>
            <b>{push.version}</b> <EnvBadge id={push.env.id} />{' '}
            <Dim>
              pushed by {push.by} <RelativeTime at={push.at} />, by the rule {push.rule.name}
            </Dim>{' '}
            <Decision push={push} act={act} />
          </Line>
        ))}
      </Lines>
    </Section>
  );
};
