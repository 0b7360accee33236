/** The certificate of a domain: the issued one, the served one, and buttons to issue, renew or remove it. */
import { Alert, Button, Group } from '@mantine/core';
import { sites } from '@quarterdeck/contract';
import { IconCertificate, IconRefresh, IconTrash } from '@tabler/icons-react';
import {
  certificateStateOf,
  certificateVerdicts,
  daysFor,
  daysUntil,
  doubtIn,
  EXPIRING_DAYS,
  type DomainView,
  type Lifetime,
} from '@quarterdeck/projections';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/past/in-past';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { CopyText } from '../../ui/CopyText';
import { DaysBar } from '../../ui/DaysBar';
import { RelativeTime } from '../../ui/RelativeTime';
import type { Tone } from '../../ui/StateBadge';
import { ActionFailure } from '../../records/runs';
import { CertificateBadge } from './Badges';
import { CertificateChange, type CertificateQuestion } from './CertificateChange';
import { daysInWords } from './domain-words';
import classes from './domains.module.css';
import { useCheckExpiryMutation, type Expiry } from './site.endpoints';
import { liveOptions } from './site/use-site-options';
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
    <Issued domain={domain} runs={runs} now={now} />
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

const Issued = ({ domain, runs, now }: CertificateTabProps) => {
  const { id, serverName, server, certificate, refusals } = domain;
  const [issue] = useChange(sites.issueCertificate);
  const [removeCertificate] = useChange(sites.removeCertificate);
  const alias = server.alias ?? 'the server';
  const early =
    certificate !== undefined && daysUntil(certificate.notAfter, now) >= daysFor(EXPIRING_DAYS, certificate);
  const verb = certificate ? 'Renew' : 'Issue';
  const busy = runs.busy ? 'A run of this domain is under way' : undefined;
  const [asked, setAsked] = useState<CertificateQuestion>();
  const live = liveOptions(domain);

  const onIssue = (): void =>
    setAsked({
      title: `${verb} the certificate of ${serverName}?`,
      body: `certbot on ${alias} asks the certificate authority, which checks http://${serverName}/.well-known/acme-challenge/.${early ? ' The current certificate is valid for a long time. This request counts against the rate limit.' : ''}`,
      warning: doubtIn(domain.dns),
      confirmLabel: `${verb} certificate`,
      // A renewal only makes nginx read the new certificate; the configuration stays.
      options: certificate && live.ssl ? undefined : { ...live, ssl: true },
      onConfirm: (seen) => {
        setAsked(undefined);
        void runs.start(`The certificate of ${serverName} was not requested`, (runId) =>
          issue({ id, runId, ...(seen !== undefined && { seen }), ...(early && { force: true }) }).unwrap(),
        );
      },
    });

  const onRemove = (): void =>
    setAsked({
      title: `Remove the certificate of ${serverName}?`,
      body: `${serverName} goes back to being served over plain HTTP; then certbot on ${alias} deletes the certificate. Visitors who use HTTPS see an error until another one is issued.`,
      confirmLabel: 'Remove certificate',
      danger: true,
      options: live.ssl ? { ...live, ssl: false } : undefined,
      onConfirm: (seen) => {
        setAsked(undefined);
        void runs.start(`The certificate of ${serverName} was not removed`, (runId) =>
          removeCertificate({ id, runId, ...(seen !== undefined && { seen }) }).unwrap(),
        );
      },
    });

  const refusal = refusals[0];
  return (
    <section className={classes.card} aria-label="Issued certificate">
      <CertificateChange domain={domain} asked={asked} onClose={() => setAsked(undefined)} />
      <div className={classes.cardHead}>
        <h2>Issued</h2>
        <Group gap="xs">
          <DisabledInPast>
            <Button
              variant={certificate ? 'default' : 'filled'}
              disabled={busy !== undefined}
              title={busy}
              leftSection={
                certificate ? (
                  <IconRefresh size={15} aria-hidden />
                ) : (
                  <IconCertificate size={15} aria-hidden />
                )
              }
              onClick={onIssue}
            >
              {verb} certificate
            </Button>
          </DisabledInPast>
          {certificate && (
            <DisabledInPast>
              <Action
                icon={IconTrash}
                variant="light"
                color="red"
                disabled={busy !== undefined}
                title={busy}
                does={onRemove}
              >
                Remove
              </Action>
            </DisabledInPast>
          )}
        </Group>
      </div>
      {refusal && (certificate === undefined || refusal.at > certificate.at) && (
        <Alert role="note" color="yellow" variant="light" mb="sm" title="The last request was rejected">
          {refusal.detail}
          <div>
            <RelativeTime at={refusal.at} />
            {refusal.retryAt && (
              <>
                . The authority accepts no further request before <RelativeTime at={refusal.retryAt} />.
              </>
            )}
          </div>
        </Alert>
      )}
      {certificate ? (
        <dl className={classes.facts}>
          <Ends of={certificate} now={now} />
          <dt>Names</dt>
          <dd>{certificate.names.join(', ')}</dd>
          <dt>Issuer</dt>
          <dd>{certificate.issuer}</dd>
          <dt>Key</dt>
          <dd>{certificate.keyType}</dd>
          <dt>Serial</dt>
          <dd>
            <CopyText value={certificate.serial} />
          </dd>
          <dt>Fingerprint</dt>
          <dd>
            <CopyText value={certificate.fingerprint} />
          </dd>
          <dt>{certificate.renewals > 0 ? 'Renewed' : 'Issued'}</dt>
          <dd>
            <RelativeTime at={certificate.at} />
            {certificate.renewals > 1 && `, ${certificate.renewals} times in all`}{' '}
            <Link to={paths.run(certificate.run)}>Open run</Link>
          </dd>
        </dl>
      ) : (
        <p className={classes.hint}>
          No certificate issued yet. {serverName} has to point to {alias} so that the authority can check it.
          If no configuration is live, one over plain HTTP is applied first.
        </p>
      )}
    </section>
  );
};

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

interface EndsProps {
  of: Lifetime;
  now: number;
  /** Derived from the days left by default. */
  tone?: Tone;
}

const Ends = ({ of, now, tone }: EndsProps) => {
  const expiringDays = useExpiringDays();
  const { notAfter } = of;
  const days = daysUntil(notAfter, now);
  return (
    <>
      <dt>Days left</dt>
      <dd>
        <DaysBar
          days={days}
          tone={tone ?? (days <= 0 ? 'bad' : days < daysFor(expiringDays, of) ? 'warn' : 'good')}
        />
      </dd>
      <dt>{Date.parse(notAfter) > now ? 'Ends' : 'Ended'}</dt>
      <dd>
        {daysInWords(days)}, on <time dateTime={notAfter}>{notAfter.slice(0, 10)}</time>
      </dd>
    </>
  );
};

/** Result of a check over the network. */
const expiryInWords = ({ valid, daysRemaining, reason }: Expiry): string => {
  const left = daysRemaining === undefined ? '' : ` It ends ${daysInWords(daysRemaining)}.`;
  // The reasons are whole sentences.
  return `${valid ? 'it is valid.' : (reason ?? 'it is not valid.')}${left}`;
};
