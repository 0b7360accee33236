/** Commands for a database, ready to copy. The password is masked until it is revealed. */
import { Box, Button } from '@mantine/core';
import { database } from '@quarterdeck/events';
import { MASK, useSecret, type View } from '../../records/kit';
import { DisabledInPast } from '../../core/as-of/in-past';
import { CopyText } from '../../ui/CopyText';
import { commandsFor, type CommandTarget } from './database-commands';
import { Section } from '../../ui/Card';
import { Note } from '../../ui/Note';
import { Stacked } from '../../ui/Columns';
import look from '../../ui/look.module.css';

export const DatabaseCommands = ({ view, type }: { view: View; type: string }) => {
  const { value, isLoading, toggle } = useSecret(database, view.id, 'password');
  const target = view as unknown as CommandTarget;
  const commands = commandsFor(view.dbType as number, target, value ?? MASK);
  const files = [
    ...(target.certificate === '' ? [] : ['ca.pem with the certificate of the server']),
    ...(target.clientCertificate
      ? ['client.pem with the client certificate and its key, which only you may be able to read (chmod 600)']
      : []),
  ].join(', ');
  return (
    <Section
      title={`${type} commands`}
      least={3}
      actions={
        <DisabledInPast>
          <Button variant="default" loading={isLoading} onClick={toggle}>
            {value === undefined ? 'Show password' : 'Hide password'}
          </Button>
        </DisabledInPast>
      }
    >
      {files !== '' && <Note mb={12}>Files that the commands expect: {files}.</Note>}
      <Stacked component="dl" gap={12} m={0}>
        {commands.map(({ title, where, text }) => (
          <div key={title}>
            <Box component="dt" c="dimmed" fz={12}>
              {title}{' '}
              <Box component="span" ml={4} ff="monospace">
                {where}
              </Box>
            </Box>
            <Box component="dd" className={`${look.framed} ${look.wrap}`} m="2px 0 0" p="6px 8px">
              <CopyText value={text} />
            </Box>
          </div>
        ))}
      </Stacked>
    </Section>
  );
};
