/** Where the domain points: the last DNS answer, earlier ones, and a check on demand. */
import { domains } from '@quarterdeck/contract';
import { IconRefresh } from '@tabler/icons-react';
import { doubtsIn, type DomainView } from '@quarterdeck/projections';
import { Fragment } from 'react';
import { useChange } from '../../../core/calls';
import { DisabledInPast, PresentOnly } from '../../../core/past/in-past';
import { toApiError } from '../../../core/http';
import { Action } from '../../../ui/Action';
import { CopyText } from '../../../ui/CopyText';
import { RelativeTime } from '../../../ui/RelativeTime';
import { ActionFailure } from '../../../records/runs';
import { DnsBadge } from '../Badges';
import { answerInWords } from '../domain-words';
import classes from '../domains.module.css';
import { AddRecord } from './AddRecord';
import { ipv4Of, lacksIpv4 } from './dns-rules';
import { useHostAddresses } from './use-host-addresses';

const SHOWN = 8;

export const DnsCard = ({ domain }: { domain: DomainView }) => {
  const { id, serverName, server, dns, dnsHistory } = domain;
  const [check, { error, isLoading, reset, data: checked, fulfilledTimeStamp }] = useChange(domains.checkDns);
  const host = useHostAddresses(server.host);
  const doubt = doubtsIn(dns);
  return (
    <section className={classes.card} aria-label="DNS" aria-busy={isLoading}>
      <div className={classes.cardHead}>
        <h2>DNS</h2>
        <DisabledInPast>
          <Action icon={IconRefresh} variant="default" loading={isLoading} does={() => check({ id })}>
            Check now
          </Action>
        </DisabledInPast>
      </div>
      <ActionFailure
        failure={
          error === undefined ? undefined : { what: 'The DNS lookup failed', error: toApiError(error) }
        }
        onClose={reset}
      />
      <dl className={classes.facts}>
        <dt>State</dt>
        <dd>
          <DnsBadge domain={domain} /> <span className={classes.dimmed}>since</span>{' '}
          <RelativeTime at={dns.at} />
        </dd>
        <dt>Answer</dt>
        <dd>{dns.outcome === 'found' ? <CopyText value={answerInWords(dns)} /> : answerInWords(dns)}</dd>
        {dns.names?.map((one) => (
          <Fragment key={one.name}>
            <dt>{one.name}</dt>
            <dd>
              <DnsBadge domain={{ dns: { ...one, at: dns.at } }} />{' '}
              <span className={classes.mono}>{answerInWords(one)}</span>
            </dd>
          </Fragment>
        ))}
        {server.host && (
          <>
            <dt>Host of {server.alias}</dt>
            <dd>
              <CopyText value={host?.map(({ address }) => address).join(', ') || server.host} />
            </dd>
          </>
        )}
      </dl>
      {doubt !== undefined && <p className={classes.hint}>{doubt}</p>}
      <div role="status">
        {checked && !error && (
          <p className={classes.hint}>
            Checked <RelativeTime at={new Date(fulfilledTimeStamp ?? 0).toISOString()} />:{' '}
            {answerInWords(checked)}.
          </p>
        )}
      </div>
      {host ? (
        <AddRecord
          serverName={serverName}
          alias={server.alias ?? 'the server'}
          ip={ipv4Of(host)}
          found={dns.addresses.map(({ address }) => address)}
          differs={!dns.pointsHere && lacksIpv4(dns.addresses, dns.elsewhere)}
          onAdded={() => void check({ id })}
        />
      ) : (
        // A literal address needs no look-up, so it is known in the past too.
        server.host && <PresentOnly what="The DNS answer for the server’s host">{null}</PresentOnly>
      )}
      {dnsHistory.length > 0 && (
        <>
          <h3 className={classes.subhead}>Earlier answers</h3>
          <ul className={classes.answers}>
            {dnsHistory.slice(0, SHOWN).map((answer) => (
              <li key={answer.at}>
                <DnsBadge domain={{ dns: answer }} />{' '}
                <span className={classes.mono}>{answerInWords(answer)}</span>{' '}
                <span className={classes.dimmed}>
                  <RelativeTime at={answer.at} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};
