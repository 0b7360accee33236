import { ActionIcon } from '@mantine/core';
import { IconUserCircle } from '@tabler/icons-react';
import type { ComponentProps } from 'react';

type AccountButtonProps = Omit<ComponentProps<'button'>, 'color' | 'style'>;

export const AccountButton = (props: AccountButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="lg"
    aria-label="Your account"
    aria-haspopup="menu"
    aria-expanded={false}
    {...props}
  >
    <IconUserCircle size={20} stroke={1.6} />
  </ActionIcon>
);
