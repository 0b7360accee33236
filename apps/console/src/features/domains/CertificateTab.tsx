/** The certificate of a domain: the issued one and the served one. */
import { Box, Button, Group } from '@mantine/core';
import { certificateStateOf, certificateVerdicts, type DomainView } from '@quarterdeck/projections';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { toApiError } from '../../core/http';
import { CopyText } from '../../ui/CopyText';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { ActionFailure } from '../../records/runs';
import { CertificateBadge } from './Badges';
import { Ends } from './Ends';
import { IssuedCertificate } from './IssuedCertificate';
import { daysInWords } from './domain-words';
import { useCheckExpiryMutation, type Expiry } from './site.endpoints';
import type { DomainRuns } from './use-domain-runs';
import { useExpiringDays } from '../../records/verdicts';
import { Columns } from '../../ui/Columns';
import { Card } from '../../ui/Card';
import { Dim, Note } from '../../ui/Note';
import { Fact, Facts } from '../../ui/Facts';
import look from '../../ui/look.module.css';

interface CertificateTabProps {
  domain: DomainView;
  runs: DomainRuns;
  now: number;
}

/** A card that another feature adds to this tab. */
export interface CertificateCard {
  title: string;
  content: (domain: DomainView) => ReactNode;
}

export const CertificateTab = ({
  domain,
  runs,
  now,
  cards,
}: CertificateTabProps & { cards: readonly CertificateCard[] }) => (
  <Columns>
    <IssuedCertificate domain={domain} runs={runs} now={now} />
    <Served domain={domain} now={now} />
    {cards.map(({ title, content }) => (
      <Card title={title} key={title}>
        {content(domain)}
      </Card>
    ))}
  </Columns>
);

const Served = ({ domain, now }: { domain: DomainView; now: number }) => {
  const { serverName, served, certificate } = domain;
  const expiringDays = useExpiringDays();
  const [check, { data, error, isLoading, reset, fulfilledTimeStamp }] = useCheckExpiryMutation();
  const shown = served?.served;
  return (
    <Card
      title="Served certificate"
      aria-busy={isLoading}
      actions={
        <DisabledInPast>
          <Button variant="default" loading={isLoading} onClick={() => void check(serverName)}>
            Check now
          </Button>
        </DisabledInPast>
      }
    >
      <ActionFailure
        failure={
          error === undefined ? undefined : { what: 'It could not be checked', error: toApiError(error) }
        }
        onClose={reset}
      />
      {served ? (
        <>
          <Group component="p" gap="6px 12px" my={12}>
            <CertificateBadge domain={domain} asOf={{ now, expiringDays }} />
            <Dim>
              checked <RelativeTime at={domain.certificateLookedAt ?? served.at} />
            </Dim>
          </Group>
          {served.reason && (
            <Box component="p" className={look.wrap} my={8}>
              {served.reason}
            </Box>
          )}
          {shown && (
            <Facts>
              <Ends
                of={shown}
                now={now}
                tone={certificateVerdicts[certificateStateOf(domain, { now, expiringDays })].tone}
              />
              <Fact label="Names">{shown.names.join(', ')}</Fact>
              <Fact label="Issuer">{shown.issuer}</Fact>
              <Fact label="Protocol">{shown.protocol}</Fact>
              <Fact label="Serial">
                <CopyText value={shown.serial} />
              </Fact>
              {certificate && (
                <Fact label="Same as issued">
                  {shown.serial === certificate.serial ? 'yes' : 'No: nginx serves another certificate'}
                </Fact>
              )}
            </Facts>
          )}
        </>
      ) : (
        !data && <Note below>Not checked yet.</Note>
      )}
      <div role="status">
        {data && !error && (
          <Note below>
            <StateBadge
              state={data.valid ? 'valid' : 'not valid'}
              tone={data.valid ? 'good' : 'bad'}
              icon={data.valid ? IconCircleCheck : IconCircleX}
            />{' '}
            checked <RelativeTime at={new Date(fulfilledTimeStamp ?? 0).toISOString()} />.{' '}
            {expiryInWords(data)}
          </Note>
        )}
      </div>
    </Card>
  );
};

/** Result of a check over the network. */
const expiryInWords = ({ valid, daysRemaining, reason }: Expiry): string => {
  const left =
    daysRemaining === undefined
      ? ''
      : `It ${daysRemaining < 0 ? 'expired' : 'expires'} ${daysInWords(daysRemaining)}.`;
  // The reasons are whole sentences.
  return [valid ? '' : (reason ?? ''), left].join(' ').trim();
};
