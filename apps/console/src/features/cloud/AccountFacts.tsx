import type { Answer, cloud } from '@quarterdeck/contract';
import { By } from '../../records/actor';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { Dim, Mono } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';

const kinds = { oauth: 'sign-in at DigitalOcean', token: 'personal token' } as const;

export const AccountFacts = ({ state }: { state: Answer<typeof cloud.exists> }) => {
  const { account, seenAt, limits } = state;
  if (!account) return null;
  const { by, fingerprint, scopes, expiresAt, team, connectedAt, connectedBy } = account;
  return (
    <Card title="Account">
      <Facts>
        {team !== undefined && <Fact label="Team">{team}</Fact>}
        <Fact label="Token">
          <Mono>{fingerprint}</Mono> <Dim>({kinds[by]})</Dim>
        </Fact>
        <Fact label="Scopes">{scopes?.join(', ') ?? <Dim>not reported by DigitalOcean</Dim>}</Fact>
        <Fact label="Expires">
          {expiresAt === undefined ? (
            <Dim>not reported by DigitalOcean</Dim>
          ) : (
            <>
              <RelativeTime at={expiresAt} />
              {by === 'oauth' && <Dim> (refreshed automatically)</Dim>}
            </>
          )}
        </Fact>
        <Fact label="Connected">
          <By id={connectedBy} at={connectedAt} />
        </Fact>
        <Fact label="Lists read">
          <RelativeTime at={seenAt} />
        </Fact>
        <Fact label="API limit">
          {limits ? (
            <>
              {limits.remaining.toLocaleString('en')} of {limits.limit.toLocaleString('en')} calls left this
              hour
            </>
          ) : (
            <Dim>unknown until the lists were read</Dim>
          )}
        </Fact>
      </Facts>
    </Card>
  );
};
