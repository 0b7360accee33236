/** Where the domain points: the last DNS answer, earlier ones, and a check on demand. */
import { domains } from '@quarterdeck/contract';
import { IconRefresh } from '@tabler/icons-react';
import { doubtsIn, type DomainView } from '@quarterdeck/projections';
import { Fragment } from 'react';
import { useChange } from '../../../core/calls';
import { DisabledInPast, PresentOnly } from '../../../core/as-of/in-past';
import { toApiError } from '../../../core/http';
import { Action } from '../../../ui/Action';
import { CopyText } from '../../../ui/CopyText';
import { For, RelativeTime } from '../../../ui/RelativeTime';
import { ActionFailure } from '../../../records/runs';
import { DnsBadge } from '../Badges';
import { answerInWords } from '../domain-words';
import { AddRecord } from './AddRecord';
import { ipv4Of, lacksIpv4 } from './dns-rules';
import { useHostAddresses } from './use-host-addresses';
import { Card } from '../../../ui/Card';
import { Fact, Facts } from '../../../ui/Facts';
import { Dim, Mono, Note } from '../../../ui/Note';
import { List } from '../../../ui/List';
import { Title } from '../../../ui/heading';

const SHOWN = 8;

export const DnsCard = ({ domain }: { domain: DomainView }) => {
  const { id, serverName, server, dns, dnsHistory } = domain;
  const [check, { error, isLoading, reset, data: checked, fulfilledTimeStamp }] = useChange(domains.checkDns);
  const host = useHostAddresses(server.host);
  const doubt = doubtsIn(dns);
  return (
    <Card
      title="DNS"
      aria-busy={isLoading}
      actions={
        <DisabledInPast>
          <Action icon={IconRefresh} variant="default" loading={isLoading} does={() => check({ id })}>
            Check now
          </Action>
        </DisabledInPast>
      }
    >
      <ActionFailure
        failure={
          error === undefined ? undefined : { what: 'The DNS lookup failed', error: toApiError(error) }
        }
        onClose={reset}
      />
      <Facts>
        <Fact label="State">
          <DnsBadge domain={domain} /> <For since={dns.at} />
        </Fact>
        <Fact label="Answer">
          {dns.outcome === 'found' ? <CopyText value={answerInWords(dns)} /> : answerInWords(dns)}
        </Fact>
        {dns.names?.map((one) => (
          <Fragment key={one.name}>
            <Fact label={one.name}>
              <DnsBadge domain={{ dns: { ...one, at: dns.at } }} /> <Mono>{answerInWords(one)}</Mono>
            </Fact>
          </Fragment>
        ))}
        {server.host && (
          <Fact label={`Host of ${server.alias}`}>
            <CopyText value={host?.map(({ address }) => address).join(', ') || server.host} />
          </Fact>
        )}
      </Facts>
      {doubt !== undefined && <Note below>{doubt}</Note>}
      <div role="status">
        {checked && !error && (
          <Note below>
            Checked <RelativeTime at={new Date(fulfilledTimeStamp ?? 0).toISOString()} />:{' '}
            {answerInWords(checked)}.
          </Note>
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
          <Title least={3} m="16px 0 8px">
            Earlier answers
          </Title>
          <List gap={6}>
            {dnsHistory.slice(0, SHOWN).map((answer) => (
              <li key={answer.at}>
                <DnsBadge domain={{ dns: answer }} /> <Mono>{answerInWords(answer)}</Mono>{' '}
                <Dim>
                  <RelativeTime at={answer.at} />
                </Dim>
              </li>
            ))}
          </List>
        </>
      )}
    </Card>
  );
};
