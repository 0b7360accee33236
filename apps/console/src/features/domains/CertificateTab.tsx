/** The certificate of a domain: the issued one and the served one. */
import { Button } from '@mantine/core';
import { certificateStateOf, certificateVerdicts, type DomainView } from '@quarterdeck/projections';
import type { ReactNode } from 'react';
import { DisabledInPast } from '../../core/past/in-past';
import { toApiError } from '../../core/http';
import { CopyText } from '../../ui/CopyText';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure } from '../../records/runs';
import { CertificateBadge } from './Badges';
import { Ends } from './Ends';
import { IssuedCertificate } from './IssuedCertificate';
import { daysInWords } from './domain-words';
import classes from './domains.module.css';
import { useCheckExpiryMutation, type Expiry } from './site.endpoints';
import type { DomainRuns } from './use-domain-runs';
import { useExpiringDays } from '../../records/verdicts';

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
  <div className={classes.overview}>
    <IssuedCertificate domain={domain} runs={runs} now={now} />
    <Served domain={domain} now={now} />
    {cards.map(({ title, content }) => (
      <section key={title} className={classes.card} aria-label={title}>
        <div className={classes.cardHead}>
          <h2>{title}</h2>
        </div>
        {content(domain)}
      </section>
    ))}
  </div>
);

const Served = ({ domain, now }: { domain: DomainView; now: number }) => {
  const { serverName, served, certificate } = domain;
  const expiringDays = useExpiringDays();
  const [check, { data, error, isLoading, reset, fulfilledTimeStamp }] = useCheckExpiryMutation();
  const shown = served?.served;
  return (
    <section className={classes.card} aria-label="Served certificate" aria-busy={isLoading}>
      <div className={classes.cardHead}>
        <h2>Served certificate</h2>
        <DisabledInPast>
          <Button variant="default" loading={isLoading} onClick={() => void check(serverName)}>
            Check now
          </Button>
        </DisabledInPast>
      </div>
      <ActionFailure
        failure={
          error === undefined ? undefined : { what: 'It could not be checked', error: toApiError(error) }
        }
        onClose={reset}
      />
      {served ? (
        <>
          <p className={classes.verdict}>
            <CertificateBadge domain={domain} asOf={{ now, expiringDays }} />
            <span className={classes.dimmed}>
              seen <RelativeTime at={served.at} />
            </span>
          </p>
          {served.reason && <p className={classes.reason}>{served.reason}</p>}
          {shown && (
            <dl className={classes.facts}>
              <Ends
                of={shown}
                now={now}
                tone={certificateVerdicts[certificateStateOf(domain, { now, expiringDays })].tone}
              />
              <dt>Names</dt>
              <dd>{shown.names.join(', ')}</dd>
              <dt>Issuer</dt>
              <dd>{shown.issuer}</dd>
              <dt>Protocol</dt>
              <dd>{shown.protocol}</dd>
              <dt>Serial</dt>
              <dd>
                <CopyText value={shown.serial} />
              </dd>
              {certificate && (
                <>
                  <dt>Same as issued</dt>
                  <dd>
                    {shown.serial === certificate.serial ? 'yes' : 'No: nginx serves another certificate'}
                  </dd>
                </>
              )}
            </dl>
          )}
        </>
      ) : (
        !data && <p className={classes.hint}>Not checked yet.</p>
      )}
      <div role="status">
        {data && !error && (
          <p className={classes.hint}>
            Checked <RelativeTime at={new Date(fulfilledTimeStamp ?? 0).toISOString()} />:{' '}
            {expiryInWords(data)}
          </p>
        )}
      </div>
    </section>
  );
};

/** Result of a check over the network. */
const expiryInWords = ({ valid, daysRemaining, reason }: Expiry): string => {
  const left = daysRemaining === undefined ? '' : ` It ends ${daysInWords(daysRemaining)}.`;
  // The reasons are whole sentences.
  return `${valid ? 'it is valid.' : (reason ?? 'it is not valid.')}${left}`;
};
