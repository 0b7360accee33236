/** Commands for a database, ready to copy. The password is masked until it is revealed. */
import { Box, Button } from '@mantine/core';
import { database } from '@quarterdeck/events';
import { MASK, useSecret, type View } from '../../records/kit';
import { DisabledInPast } from '../../core/past/in-past';
import { CopyText } from '../../ui/CopyText';
import { commandsFor, type CommandTarget } from './database-commands';
import styles from './databases.module.css';

export const DatabaseCommands = ({ view, type }: { view: View; type: string }) => {
  const { value, isLoading, toggle } = useSecret(database, view.id, 'password');
  const target = view as unknown as CommandTarget;
  const commands = commandsFor(view.dbType as number, target, value ?? MASK);
  return (
    <section aria-label={`${type} commands`}>
      <div className={styles.head}>
        <h3>{type} commands</h3>
        <DisabledInPast>
          <Button variant="default" loading={isLoading} onClick={toggle}>
            {value === undefined ? 'Show password' : 'Hide password'}
          </Button>
        </DisabledInPast>
      </div>
      <dl className={styles.commands}>
        {commands.map(({ title, where, text }) => (
          <div key={title}>
            <dt>
              {title}{' '}
              <Box component="span" ml={4} ff="monospace">
                {where}
              </Box>
            </dt>
            <dd>
              <CopyText value={text} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
