/** When a rule would have told in the past month, as a time line and a list. */
import { Box } from '@mantine/core';
import { alertRules } from '@quarterdeck/contract';
import { causeInWords } from '@quarterdeck/events';
import type { RuleFields, TriedMoment, TriedRule } from '@quarterdeck/projections';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAsk } from '../../core/calls';
import type { Checking } from '../../records/kit';
import { ActionFailure } from '../../records/runs';
import { severityLooks } from '../../records/severity-looks';
import { Action } from '../../ui/Action';
import { count } from '../../ui/count';
import { Title } from '../../ui/heading';
import { Line, Lines } from '../../ui/List';
import { Dim, Note } from '../../ui/Note';
import { absoluteTime, durationInWords, shortTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { RuleSentence } from './RuleSentence';
import { triedInWords } from './rule-words';
import styles from './rules.module.css';

export const RuleTrial = ({ id, rule }: { id: string; rule: RuleFields & { enabled: boolean } }) => {
  const [ask, { isLoading }] = useAsk(alertRules.try);
  return (
    <Box component="section" aria-label="What this rule does" mt={32}>
      <Title least={2} mb={8}>
        What this rule does
      </Title>
      <p>
        <RuleSentence rule={rule} />
      </p>
      {!rule.enabled && <Note mb={12}>It is switched off: try it on the past month, then switch it on.</Note>}
      <Trial send={() => ask({ id }).unwrap()} isLoading={isLoading} />
    </Box>
  );
};

/** Below the form of a rule: tries what is typed. */
export const triesDraft: Checking = (draft) => <DraftTrial draft={draft} />;

const DraftTrial = ({ draft }: { draft: Parameters<Checking>[0] }) => {
  const [ask, { isLoading }] = useAsk(alertRules.preview);
  const send = () => {
    const typed = draft() as Parameters<typeof ask>[0]['data'];
    // A trial needs no name.
    return ask({ data: { ...typed, name: typed.name || 'New rule' } }).unwrap();
  };
  return (
    <Box component="section" aria-label="Trial" mt={24}>
      <Trial send={send} isLoading={isLoading} variant="default" />
      <Note mt={8}>A trial saves and sends nothing.</Note>
    </Box>
  );
};

interface TrialProps {
  send: () => Promise<TriedRule>;
  isLoading: boolean;
  variant?: 'default' | 'filled';
}

const Trial = ({ send, isLoading, variant = 'filled' }: TrialProps) => {
  const { act, failure, dismiss } = useAction();
  const [tried, setTried] = useState<TriedRule>();
  return (
    <>
      <DisabledInPast>
        <Action
          icon={IconHistory}
          variant={variant}
          loading={isLoading}
          does={() => act({ send, done: setTried, failed: 'The rule was not tried' })}
        >
          Try on the past month
        </Action>
      </DisabledInPast>
      <ActionFailure failure={failure} onClose={dismiss} />
      <div role="status">{tried && <Tried tried={tried} />}</div>
    </>
  );
};

const Tried = ({ tried }: { tried: TriedRule }) => (
  <Box mt={16}>
    <p>
      <b>{triedInWords(tried)}</b>{' '}
      <Dim>
        {tried.looked.toLocaleString('en')} probes and events were looked at.
        {tried.isPartial && ' There were more: choose servers in the rule to look at all of theirs.'}
      </Dim>
    </p>
    {tried.moments.length > 0 && <TimeLine {...tried} />}
    <Lines aria-label="Moments">
      {tried.moments.toReversed().map((moment) => (
        <Moment key={`${moment.at} ${moment.subject.id} ${moment.about}`} moment={moment} />
      ))}
    </Lines>
    {tried.count > tried.moments.length && (
      <Note mt={8}>{count(tried.count - tried.moments.length, 'earlier moment')} not shown.</Note>
    )}
  </Box>
);

/** Shows at a glance when it told; the list below says the same in words. */
const TimeLine = ({ from, to, moments }: TriedRule) => {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  return (
    <div aria-hidden className={styles.line}>
      <div className={styles.track}>
        {moments.map(({ at, subject, severity }) => (
          <span
            key={`${at} ${subject.id}`}
            className={styles.mark}
            data-severity={severity}
            style={{ left: `${((Date.parse(at) - begin) / (end - begin)) * 100}%` }}
          />
        ))}
      </div>
      <div className={styles.ends}>
        <Dim>{shortTime(from)}</Dim>
        <Dim>now</Dim>
      </div>
    </div>
  );
};

const Moment = ({ moment }: { moment: TriedMoment }) => {
  const { at, about, severity, subject, says, since, until, again } = moment;
  const lasted =
    until === undefined ? 'lasts' : `lasted ${durationInWords(Date.parse(until) - Date.parse(since))}`;
  return (
    <Line>
      <StateBadge state={severity} {...severityLooks[severity]} /> {absoluteTime(at)}{' '}
      <b>
        {subject.name}: {causeInWords(about)}
      </b>
      {again && ', again'}
      <Dim display="block">
        {says} It {lasted}.
      </Dim>
    </Line>
  );
};
