/** The issued certificate of a domain, and buttons to issue, renew or remove it. */
import { Alert, Button, Group } from '@mantine/core';
import { sites } from '@quarterdeck/contract';
import { isWildcard } from '@quarterdeck/events';
import {
  daysFor,
  daysUntil,
  doubtsIn,
  EXPIRING_DAYS,
  lackedNames,
  namesInWords,
  namesOfSite,
  type DomainView,
} from '@quarterdeck/projections';
import { IconCertificate, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/past/in-past';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { CopyText } from '../../ui/CopyText';
import { RelativeTime } from '../../ui/RelativeTime';
import { CertificateChange, type CertificateQuestion } from './CertificateChange';
import classes from './domains.module.css';
import { Ends } from './Ends';
import { liveOptions } from './site/use-site-options';
import type { DomainRuns } from './use-domain-runs';

export interface IssuedCertificateProps {
  domain: DomainView;
  runs: DomainRuns;
  now: number;
}

/** What an adopted certificate is proved by. The dialog asks about the others. */
const checkedBy = ({ certificate }: DomainView): string =>
  certificate?.lineage?.adopted
    ? `, which checks ${certificate.names.join(', ')} in the way that the owner of the certificate has set up`
    : '';

/** What to do about names of the site that the certificate is not for. */
const Lacks = ({ domain }: { domain: DomainView }) => {
  const lacked = lackedNames(domain);
  if (lacked.length === 0) return null;
  const all = namesInWords(namesOfSite(domain));
  return (
    <Alert role="note" color="red" variant="light" mb="sm" title={`It is not for ${namesInWords(lacked)}`}>
      {domain.certificate?.lineage?.adopted
        ? 'It keeps the names that its owner gave it. Press Renew certificate, and choose to issue another one beside it.'
        : `Apply the configuration if it has changes, then press ${domain.certificate ? 'Renew' : 'Issue'} certificate: it is ordered for ${all}.`}
    </Alert>
  );
};

export const IssuedCertificate = ({ domain, runs, now }: IssuedCertificateProps) => {
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

  const onIssue = (newAccount = false): void =>
    setAsked({
      title: newAccount
        ? `Register a new account and ${verb.toLowerCase()} the certificate of ${serverName}?`
        : `${verb} the certificate of ${serverName}?`,
      body: `${newAccount ? `The certificate authority no longer knows the account on ${alias}. certbot registers a new one there, and all certificates on ${alias} that were renewed with the former account are renewed with the new one. Then it` : `certbot on ${alias}`} asks the certificate authority${checkedBy(domain)}.${early ? ' The current certificate is valid for a long time. This request counts against the rate limit.' : ''}`,
      warning: doubtsIn(domain.dns),
      confirmLabel: newAccount ? 'Register and order' : `${verb} certificate`,
      about: 'order',
      // A renewal only makes nginx read the new certificate; the configuration stays.
      options: certificate && live.ssl ? undefined : { ...live, ssl: true },
      onConfirm: (seen, { lineage, proof }) => {
        setAsked(undefined);
        const how = {
          ...(seen !== undefined && { seen }),
          ...(lineage && { lineage }),
          ...(proof && { proof }),
          ...(early && { force: true }),
          ...(newAccount && { newAccount }),
        };
        void runs.start(`The certificate of ${serverName} was not requested`, (runId) =>
          issue({ id, runId, ...how }).unwrap(),
        );
      },
    });

  const onRemove = (): void =>
    setAsked({
      title: `Remove the certificate of ${serverName}?`,
      body: `${serverName} goes back to being served over plain HTTP${certificate?.lineage?.adopted ? '' : `; then certbot on ${alias} deletes the certificate`}. Visitors who use HTTPS see an error until another one is issued.`,
      confirmLabel: 'Remove certificate',
      about: 'removal',
      danger: true,
      options: live.ssl ? { ...live, ssl: false } : undefined,
      onConfirm: (seen, { removal }) => {
        setAsked(undefined);
        void runs.start(`The certificate of ${serverName} was not removed`, (runId) =>
          removeCertificate({ id, runId, ...(seen !== undefined && { seen }), ...removal }).unwrap(),
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
              onClick={() => onIssue()}
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
      <Lacks domain={domain} />
      {refusal && (certificate === undefined || refusal.at > certificate.at) && (
        <Alert
          role="note"
          color="yellow"
          variant="light"
          mb="sm"
          title={
            refusal.wasted
              ? 'The last request was spent without a certificate'
              : 'The last request was rejected'
          }
        >
          {refusal.detail}
          <div>
            <RelativeTime at={refusal.at} />
            {refusal.retryAt && (
              <>
                . The authority accepts no further request before <RelativeTime at={refusal.retryAt} />.
              </>
            )}
          </div>
          {refusal.problem?.endsWith(':accountDoesNotExist') && !certificate?.lineage?.adopted && (
            <DisabledInPast>
              <Button
                mt="xs"
                size="xs"
                variant="default"
                disabled={busy !== undefined}
                title={busy}
                onClick={() => onIssue(true)}
              >
                Register a new account
              </Button>
            </DisabledInPast>
          )}
        </Alert>
      )}
      {certificate ? (
        <dl className={classes.facts}>
          <Ends of={certificate} now={now} />
          <dt>Names</dt>
          <dd>{certificate.names.join(', ')}</dd>
          {certificate.lineage && (
            <>
              <dt>On the server</dt>
              <dd>
                <code>{certificate.lineage.name}</code>
                {certificate.lineage.adopted &&
                  `, adopted: renewed with the settings of its owner${
                    certificate.lineage.adopted.authenticator === undefined
                      ? ''
                      : ` (${certificate.lineage.adopted.authenticator})`
                  }`}
              </dd>
            </>
          )}
          {!certificate.lineage?.adopted && (
            <>
              <dt>Checked</dt>
              <dd>{certificate.proof === 'dns' ? 'in DNS, by a TXT record' : 'over HTTP'}</dd>
            </>
          )}
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
          {isWildcard(serverName)
            ? `No certificate issued yet. The authority checks ${serverName} in DNS, through the DNS provider of the workspace.`
            : `No certificate issued yet. The authority checks ${serverName} over HTTP, for which it has to point to ${alias}, or in DNS. For a check over HTTP, a configuration over plain HTTP is applied first if none is live.`}
        </p>
      )}
    </section>
  );
};
