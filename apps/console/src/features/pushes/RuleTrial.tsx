/** Below the form of a rule: what it would have made of the versions that the source host has announced lately. */
import { Box } from '@mantine/core';
import { pushes } from '@quarterdeck/contract';
import { IconCircleCheck, IconCircleDashed, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAsk } from '../../core/calls';
import type { Checking } from '../../records/kit';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { count } from '../../ui/count';
import { Line, Lines } from '../../ui/List';
import { Dim, Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { triedInWords, type RuleFields } from './push-words';

interface Tried {
  id: string;
  at: string;
  deploys: boolean;
  says: string;
}

export const RuleTrial = ({ service, draft }: { service: string; draft: Parameters<Checking>[0] }) => {
  const [ask, { isLoading }] = useAsk(pushes.deliveries);
  const { act, failure, dismiss } = useAction();
  const [tried, setTried] = useState<readonly Tried[]>();
  const send = async () => {
    const typed = draft() as unknown as RuleFields;
    const { deliveries } = await ask({ service: { id: service } }).unwrap();
    return deliveries.flatMap(({ id, at, version }) =>
      version ? [{ id, at, ...triedInWords({ ...typed, env: Number(typed.env) }, version) }] : [],
    );
  };
  return (
    <Box component="section" aria-label="Trial" mt={24}>
      <DisabledInPast>
        <Action
          icon={IconHistory}
          variant="default"
          loading={isLoading}
          does={() => act({ send, done: setTried, failed: 'The rule was not tried' })}
        >
          Try on past deliveries
        </Action>
      </DisabledInPast>
      <ActionFailure failure={failure} onClose={dismiss} />
      <div role="status">{tried && <Result tried={tried} />}</div>
      <Note mt={8}>A trial saves and deploys nothing.</Note>
    </Box>
  );
};

const Result = ({ tried }: { tried: readonly Tried[] }) => {
  if (tried.length === 0)
    return <p>The source host has announced no version yet: there is nothing to try it on.</p>;
  const deployed = tried.filter(({ deploys }) => deploys).length;
  return (
    <Box mt={16}>
      <p>
        <b>
          It would have deployed {deployed} of {count(tried.length, 'version')}.
        </b>
      </p>
      <Lines aria-label="Versions">
        {tried.map(({ id, at, deploys, says }) => (
          <Line key={id}>
            {deploys ? (
              <StateBadge state="deployed" tone="good" icon={IconCircleCheck} />
            ) : (
              <StateBadge state="not deployed" tone="quiet" icon={IconCircleDashed} />
            )}{' '}
            {says}{' '}
            <Dim>
              <RelativeTime at={at} />
            </Dim>
          </Line>
        ))}
      </Lines>
    </Box>
  );
};
