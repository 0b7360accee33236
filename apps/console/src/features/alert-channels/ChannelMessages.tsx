/** What was sent to a channel, with each attempt, and a test whose answer is shown here. */
import { Alert, Box } from '@mantine/core';
import { alertChannels, type Answer } from '@quarterdeck/contract';
import type { AlertMessageView } from '@quarterdeck/projections';
import { IconAlertCircle, IconCircleCheck, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Title } from '../../ui/heading';
import { Bullets } from '../../ui/List';
import { Dim, Note } from '../../ui/Note';
import { durationInWords, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { aboutInWords, messageLook } from './message-words';

type Verdict = Answer<typeof alertChannels.test>;

export const ChannelMessages = ({ id }: { id: string }) => {
  const { data: messages } = useAnswer(alertChannels.messages, { id });
  return (
    <Box component="section" aria-label="Messages to this channel" mt={32}>
      <Title least={2} mb={8}>
        Messages
      </Title>
      <SendTest id={id} />
      {messages?.length === 0 && <Note>Nothing was sent here yet.</Note>}
      <Bullets component="ol" aria-label="Messages">
        {messages?.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </Bullets>
    </Box>
  );
};

const SendTest = ({ id }: { id: string }) => {
  const [send, { isLoading }] = useChange(alertChannels.test);
  const { act, failure, dismiss } = useAction();
  const [verdict, setVerdict] = useState<Verdict>();
  return (
    <>
      <Box mb={16}>
        <DisabledInPast>
          <Action
            icon={IconSend}
            loading={isLoading}
            does={() =>
              act({ send: () => send({ id }).unwrap(), done: setVerdict, failed: 'No test was sent' })
            }
          >
            Send a test
          </Action>
        </DisabledInPast>
      </Box>
      <ActionFailure failure={failure} onClose={dismiss} />
      <div role="status">{verdict && <Answered {...verdict} />}</div>
    </>
  );
};

const Answered = ({ delivered, says, tookMs }: Verdict) => (
  <Alert
    mb="md"
    color={delivered ? 'green' : 'red'}
    icon={delivered ? <IconCircleCheck aria-hidden /> : <IconAlertCircle aria-hidden />}
    title={delivered ? 'The test was delivered' : 'The test was not delivered'}
  >
    {says} ({durationInWords(tookMs)})
  </Alert>
);

const Message = ({ message }: { message: AlertMessageView }) => {
  const { state, attempts, alerts, queuedAt, nextAttemptAt, reason } = message;
  const [first] = alerts;
  return (
    <li>
      <StateBadge state={state} {...messageLook(message)} />{' '}
      {first ? <Link to={paths.alerts(first.id)}>{aboutInWords(message)}</Link> : aboutInWords(message)}{' '}
      <Dim>
        <RelativeTime at={queuedAt} />
      </Dim>
      {attempts.map(({ at, says, durationMs }) => (
        <Dim key={at} display="block">
          <RelativeTime at={at} />: {says ?? 'not known whether it arrived'}
          {durationMs !== undefined && `, after ${durationInWords(durationMs)}`}
        </Dim>
      ))}
      {nextAttemptAt !== undefined && attempts.length > 0 && (
        <Dim display="block">
          Next attempt <RelativeTime at={nextAttemptAt} />
        </Dim>
      )}
      {reason !== undefined && <Dim display="block">Over: {reason}</Dim>}
    </li>
  );
};
