/** A command to start, with what it does. */
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { Dim } from '../../ui/Note';
import classes from './servers.module.css';
import { Tiles } from '../../ui/Columns';

interface CommandButtonProps {
  icon: Icon;
  name: string;
  description: ReactNode;
  changes: boolean | undefined;
  onClick: () => void;
}

export const CommandButtons = ({ children }: { children: ReactNode }) => <Tiles min={250}>{children}</Tiles>;

export const CommandButton = ({ icon: Shape, name, description, changes, onClick }: CommandButtonProps) => (
  <DisabledInPast>
    <button type="button" className={classes.command} data-changes={changes || undefined} onClick={onClick}>
      <Shape size={20} stroke={1.6} aria-hidden />
      <span>
        <strong>{name}</strong>
        <Dim display="block">{description}</Dim>
      </span>
    </button>
  </DisabledInPast>
);
