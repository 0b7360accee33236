/** Status, size and time of an answer, with each phase as a part of a bar, and its checks. */
import { Box, Flex, Group } from '@mantine/core';
import type { RequestAnswer } from '@quarterdeck/contract';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { bytesInWords } from '../../ui/bytes';
import { Dim, Mono, Note } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { StateBadge } from '../../ui/StateBadge';
import { durationInWords, StatusBadge } from './request-words';
import classes from './requests.module.css';

const phases = [
  ['dns', 'DNS'],
  ['connect', 'Connect'],
  ['tls', 'TLS'],
  ['firstByte', 'First byte'],
  ['download', 'Download'],
] as const;

const cuts = {
  tooLarge: 'Only the first 5 MB were kept.',
  ended: 'The connection ended before the body did.',
  unreadable: 'The rest could not be read: it is not what the headers say.',
  late: 'The request was ended before the whole body had come, because it took too long.',
};

export const AnswerSummary = ({ answer }: { answer: RequestAnswer }) => {
  const { status, statusText, ms, size, wireBytes, cut, hops, location, httpVersion, by } = answer;
  return (
    <>
      <Group gap="8px 16px">
        <StatusBadge status={status} statusText={statusText} />
        {by === 'client' ? <Dim>recorded by a client</Dim> : <span>{durationInWords(ms)}</span>}
        <span>
          {bytesInWords(size, 1000)}
          {wireBytes > 0 && wireBytes !== size && <Dim> ({bytesInWords(wireBytes, 1000)} received)</Dim>}
        </span>
        {httpVersion !== '' && <Dim>HTTP/{httpVersion}</Dim>}
      </Group>
      {by === 'console' && <Phases answer={answer} />}
      {cut && <Note below>{cuts[cut]}</Note>}
      {hops.length > 1 && (
        <ol className={look.below} aria-label="Redirects">
          {hops.map(({ method, url, status: was, dropped }, at) => (
            <li key={`${at} ${url}`}>
              <Mono>
                {method} {url}
              </Mono>{' '}
              {was}
              {dropped.length > 0 && <Dim> without {dropped.join(', ')}</Dim>}
            </li>
          ))}
        </ol>
      )}
      {location !== undefined && (
        <Note below>
          It redirects to <Mono>{location}</Mono>, which was not followed.
        </Note>
      )}
      <Checks answer={answer} />
    </>
  );
};

const Phases = ({ answer }: { answer: RequestAnswer }) => {
  const total = Math.max(answer.ms, 0.1);
  return (
    <Box mt={8}>
      <Flex className={classes.phases} aria-hidden>
        {phases.map(([phase]) => (
          <span key={phase} data-phase={phase} style={{ flexGrow: answer.phases[phase] / total }} />
        ))}
      </Flex>
      <Group component="dl" gap="4px 16px" m="6px 0 0" fz={12} aria-label="Phases">
        {phases.map(([phase, label]) => (
          <Flex key={phase} gap={4} align="center">
            <span className={classes.mark} data-phase={phase} aria-hidden />
            <Box component="dt" c="dimmed">
              {label}
            </Box>
            <Box component="dd" m={0}>
              {durationInWords(answer.phases[phase])}
            </Box>
          </Flex>
        ))}
      </Group>
    </Box>
  );
};

const verdicts = {
  passed: { tone: 'good', icon: IconCircleCheck },
  failed: { tone: 'bad', icon: IconCircleX },
  undecided: { tone: 'warn', icon: IconAlertTriangle },
} as const;

type Check = RequestAnswer['checks'][number];

export const CheckBadge = ({ check: { expression, is, reason } }: { check: Check }) => (
  <div>
    <StateBadge state={is} {...verdicts[is]} /> <Mono>{expression}</Mono>
    {reason !== undefined && <Dim> {reason}</Dim>}
  </div>
);

const Checks = ({ answer: { checks } }: { answer: Pick<RequestAnswer, 'checks'> }) =>
  checks.length === 0 ? null : (
    <Box component="ul" className={look.list} mt={8} aria-label="Checks">
      {checks.map((check, at) => (
        <li key={`${at} ${check.expression}`}>
          <CheckBadge check={check} />
        </li>
      ))}
    </Box>
  );
