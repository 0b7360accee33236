/** A button with an icon that opens a page or runs a function. */
import { Button, type ButtonProps } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import { Link } from 'react-router';

interface ActionProps extends ButtonProps {
  icon: TablerIcon;
  /** The path to open, or the function to run. */
  does: string | (() => unknown);
  title?: string | undefined;
}

export const Action = ({ icon: Icon, does, ...others }: ActionProps) => {
  const props = { ...others, leftSection: <Icon size={16} aria-hidden /> };
  return typeof does === 'string' ? (
    <Button {...props} component={Link} to={does} />
  ) : (
    <Button {...props} onClick={() => void does()} />
  );
};
