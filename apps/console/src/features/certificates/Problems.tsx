/** The worst results of a run, each with the domain, verdict and reason. */
import { ssl } from '@quarterdeck/contract';
import type { SslCounters } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { Found } from './Found';
import { problemCount } from './monitor-words';
import classes from './monitor.module.css';

const SHOWN = 5;

export const Problems = ({ run, counters }: { run: string; counters: SslCounters }) => {
  const count = problemCount(counters);
  const skip = count + counters.failed === 0;
  const { currentData: worst = [] } = useAnswer(ssl.checks, { id: run, problems: SHOWN }, { skip });
  if (skip || worst.length === 0) return null;
  return (
    <section aria-label="Problems">
      <ul className={classes.problems}>
        {worst.map((check) => (
          <li key={check.domain}>
            <Link className={classes.mono} to={paths.domain(check.domain, 'certificate')}>
              {check.serverName}
            </Link>
            <Found check={check} />
          </li>
        ))}
      </ul>
      {count > worst.length && (
        <p className={classes.note}>
          and {(count - worst.length).toLocaleString('en')} more, under “Domain by domain”
        </p>
      )}
    </section>
  );
};
