import { Button } from '@mantine/core';
import { Card } from '../../ui/Card';

interface WaitingBackupProps {
  title: string;
  onCancel: () => void;
}

export const WaitingBackup = ({ title, onCancel }: WaitingBackupProps) => (
  <Card
    p="14px 16px"
    mb={12}
    role="status"
    aria-label="Backup waiting"
    title={title}
    actions={
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    }
  >
    <p>It begins when the drill has ended.</p>
  </Card>
);
