import { Button } from '@mantine/core';
import classes from './superadmin.module.css';

interface WaitingBackupProps {
  title: string;
  onCancel: () => void;
}

export const WaitingBackup = ({ title, onCancel }: WaitingBackupProps) => (
  <div className={classes.panel} role="status" aria-label="Backup waiting">
    <header>
      <h2>{title}</h2>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </header>
    <p>It begins when the drill has ended.</p>
  </div>
);
