/** Who answers for the site: what the last look found, and when that was. */
import type { DomainView } from '@quarterdeck/projections';
import { RelativeTime } from '../../ui/RelativeTime';
import { SiteAnswerBadge } from './Badges';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { Dim, Note } from '../../ui/Note';

export const SiteCard = ({ domain }: { domain: DomainView }) => {
  const { answer, lookedAt, config } = domain;
  return (
    <Card title="Site">
      <Facts>
        <Fact label="State">
          <SiteAnswerBadge domain={domain} />{' '}
          {config && answer && (
            <>
              <Dim>since</Dim> <RelativeTime at={answer.at} />
            </>
          )}
        </Fact>
        {config && answer && <Fact label="Seen">{answer.says}</Fact>}
        {config && lookedAt !== undefined && (
          <Fact label="Last look">
            <RelativeTime at={lookedAt} />
          </Fact>
        )}
      </Facts>
      {config && answer?.is === 'unproven' && (
        <Note below>
          The live configuration was written before sites could prove themselves, or by hand. Apply the
          configuration again to know that this site answers, and not another one.
        </Note>
      )}
    </Card>
  );
};
