import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import around from './around-table.module.css';
import type { Matched } from './matched';

interface UnmatchedProps {
  unmatched: Matched['unmatched'];
  onRemove: () => void;
}

/** Says which sort or filters in the address were ignored; otherwise an old link would seem to work. */
export const Unmatched = ({ unmatched, onRemove }: UnmatchedProps) =>
  unmatched.length > 0 && (
    <div role="alert" className={around.unmatched}>
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        {unmatched.map(({ message, attribute }) => (
          <p key={`${message} ${attribute}`}>
            <strong>{message}</strong>: the address names "{attribute}", which this table does not have.
          </p>
        ))}
      </div>
      <Button variant="default" onClick={onRemove}>
        Remove it
      </Button>
    </div>
  );
