import { Alert, Box, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { MatchedView } from './matched';
import look from '../look.module.css';

interface UnmatchedProps {
  unmatched: MatchedView['unmatched'];
  onRemove: () => void;
}

/** Says which sort or filters in the address were ignored; otherwise an old link would seem to work. */
export const Unmatched = ({ unmatched, onRemove }: UnmatchedProps) =>
  unmatched.length > 0 && (
    <Alert
      role="alert"
      color="yellow"
      variant="light"
      mb={12}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <Group justify="space-between" gap="4px 10px">
        <Box className={look.wrap} flex="1 1 240px">
          {unmatched.map(({ message, attribute }) => (
            <div key={`${message} ${attribute}`}>
              <strong>{message}</strong>: the address names "{attribute}", which this table does not have.
            </div>
          ))}
        </Box>
        <Button variant="default" onClick={onRemove}>
          Remove it
        </Button>
      </Group>
    </Alert>
  );
