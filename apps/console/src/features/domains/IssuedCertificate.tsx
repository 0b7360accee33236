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
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { CopyText } from '../../ui/CopyText';
import { RelativeTime } from '../../ui/RelativeTime';
import { CertificateChange, type CertificateQuestion } from './CertificateChange';
import { Ends } from './Ends';
import { liveOptions } from './site/use-site-options';
import type { DomainRuns } from './use-domain-runs';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { Note } from '../../ui/Note';

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

/** The questions that come before a certificate is ordered or removed, and what happens after the answer. */
const useQuestions = ({ domain, runs, now }: IssuedCertificateProps) => {
  const { id, serverName, server, certificate } = domain;
  const [issue] = useChange(sites.issueCertificate);
  const [removeCertificate] = useChange(sites.removeCertificate);
  const alias = server.alias ?? 'the server';
  const early =
    certificate !== undefined && daysUntil(certificate.notAfter, now) >= daysFor(EXPIRING_DAYS, certificate);
  const verb = certificate ? 'Renew' : 'Issue';
  const [asked, setAsked] = useState<CertificateQuestion>();
  const live = liveOptions(domain);

  const issueIt = (newAccount = false): void =>
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

  const removeIt = (): void =>
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

  return { asked, dismiss: () => setAsked(undefined), verb, issue: issueIt, remove: removeIt };
};

type Certificate = NonNullable<DomainView['certificate']>;

interface RefusalProps {
  refusal: DomainView['refusals'][number];
  certificate: Certificate | undefined;
  busy: string | undefined;
  onNewAccount: () => void;
}

/** Why the authority gave no certificate the last time, and what can be done. */
const Refusal = ({ refusal, certificate, busy, onNewAccount }: RefusalProps) => (
  <Alert
    role="note"
    color="yellow"
    variant="light"
    mb="sm"
    title={
      refusal.wasted ? 'The last request was spent without a certificate' : 'The last request was rejected'
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
          onClick={onNewAccount}
        >
          Register a new account
        </Button>
      </DisabledInPast>
    )}
  </Alert>
);

const IssuedFacts = ({ certificate, now }: { certificate: Certificate; now: number }) => (
  <Facts>
    <Ends of={certificate} now={now} />
    <Fact label="Names">{certificate.names.join(', ')}</Fact>
    {certificate.lineage && (
      <Fact label="On the server">
        <code>{certificate.lineage.name}</code>
        {certificate.lineage.adopted &&
          `, adopted: renewed with the settings of its owner${
            certificate.lineage.adopted.authenticator === undefined
              ? ''
              : ` (${certificate.lineage.adopted.authenticator})`
          }`}
      </Fact>
    )}
    {!certificate.lineage?.adopted && (
      <Fact label="Checked">{certificate.proof === 'dns' ? 'in DNS, by a TXT record' : 'over HTTP'}</Fact>
    )}
    <Fact label="Issuer">{certificate.issuer}</Fact>
    <Fact label="Key">{certificate.keyType}</Fact>
    <Fact label="Serial">
      <CopyText value={certificate.serial} />
    </Fact>
    <Fact label="Fingerprint">
      <CopyText value={certificate.fingerprint} />
    </Fact>
    <Fact label={certificate.renewals > 0 ? 'Renewed' : 'Issued'}>
      <RelativeTime at={certificate.at} />
      {certificate.renewals > 1 && `, ${certificate.renewals} times in all`}{' '}
      <Link to={paths.run(certificate.run)}>Open run</Link>
    </Fact>
  </Facts>
);

export const IssuedCertificate = (props: IssuedCertificateProps) => {
  const { domain, runs, now } = props;
  const { serverName, server, certificate, refusals } = domain;
  const { asked, dismiss, verb, issue, remove } = useQuestions(props);
  const alias = server.alias ?? 'the server';
  const busy = runs.busy ? 'A run of this domain is under way' : undefined;
  const refusal = refusals[0];
  return (
    <Card
      title="Issued"
      aria-label="Issued certificate"
      actions={
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
              onClick={() => issue()}
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
                does={remove}
              >
                Remove
              </Action>
            </DisabledInPast>
          )}
        </Group>
      }
    >
      <CertificateChange domain={domain} asked={asked} onClose={dismiss} />
      <Lacks domain={domain} />
      {refusal && (certificate === undefined || refusal.at > certificate.at) && (
        <Refusal refusal={refusal} certificate={certificate} busy={busy} onNewAccount={() => issue(true)} />
      )}
      {certificate ? (
        <IssuedFacts certificate={certificate} now={now} />
      ) : (
        <Note below>
          {isWildcard(serverName)
            ? `No certificate issued yet. The authority checks ${serverName} in DNS, through the DNS provider of the workspace.`
            : `No certificate issued yet. The authority checks ${serverName} over HTTP, for which it has to point to ${alias}, or in DNS. For a check over HTTP, a configuration over plain HTTP is applied first if none is live.`}
        </Note>
      )}
    </Card>
  );
};
