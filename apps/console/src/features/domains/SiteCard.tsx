/** Who answers for the site: what the last look found, and when that was. */
import type { DomainView } from '@quarterdeck/projections';
import { RelativeTime } from '../../ui/RelativeTime';
import { SiteAnswerBadge } from './Badges';
import classes from './domains.module.css';

export const SiteCard = ({ domain }: { domain: DomainView }) => {
  const { answer, lookedAt, config } = domain;
  return (
    <section className={classes.card} aria-label="Site">
      <div className={classes.cardHead}>
        <h2>Site</h2>
      </div>
      <dl className={classes.facts}>
        <dt>State</dt>
        <dd>
          <SiteAnswerBadge domain={domain} />{' '}
          {config && answer && (
            <>
              <span className={classes.dimmed}>since</span> <RelativeTime at={answer.at} />
            </>
          )}
        </dd>
        {config && answer && (
          <>
            <dt>Seen</dt>
            <dd>{answer.says}</dd>
          </>
        )}
        {config && lookedAt !== undefined && (
          <>
            <dt>Last look</dt>
            <dd>
              <RelativeTime at={lookedAt} />
            </dd>
          </>
        )}
      </dl>
      {config && answer?.is === 'unproven' && (
        <p className={classes.hint}>
          The live configuration was written before sites could prove themselves, or by hand. Apply the
          configuration again to know that this site answers, and not another one.
        </p>
      )}
    </section>
  );
};
