/** The worst results of a run, each with the domain, verdict and reason. */
import { ssl } from '@quarterdeck/contract';
import type { SslCounters } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { Found } from './Found';
import { problemCount } from './monitor-words';
import { List } from '../../ui/List';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { Group } from '@mantine/core';

const SHOWN = 5;

export const Problems = ({ run, counters }: { run: string; counters: SslCounters }) => {
  const count = problemCount(counters);
  const skip = count + counters.failed === 0;
  const { currentData: worst = [] } = useAnswer(ssl.checks, { id: run, problems: SHOWN }, { skip });
  if (skip || worst.length === 0) return null;
  return (
    <section aria-label="Problems">
      <List>
        {worst.map((check) => (
          <Group component="li" key={check.domain} gap="2px 12px" align="baseline" py={4}>
            <Link className={look.mono} to={paths.domain(check.domain, 'certificate')}>
              {check.serverName}
            </Link>
            <Found check={check} />
          </Group>
        ))}
      </List>
      {count > worst.length && (
        <Note className={look.wrap}>
          and {(count - worst.length).toLocaleString('en')} more, under “Domain by domain”
        </Note>
      )}
    </section>
  );
};
