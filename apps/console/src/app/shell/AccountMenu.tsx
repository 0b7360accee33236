import { Box, Group, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconArchive,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { profileName, useSession } from '../../core/session';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { AccountButton } from './AccountButton';
import look from '../../ui/look.module.css';
import { Dim } from '../../ui/Note';

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

interface AccountMenuProps {
  /** The placeholder button that this menu's own button replaces. */
  before: RefObject<HTMLButtonElement | null>;
  onLoaded: () => void;
  opened: boolean;
  onChange: (opened: boolean) => void;
  onHelp: () => void;
}

export default function AccountMenu({ before, onLoaded, opened, onChange, onHelp }: AccountMenuProps) {
  const { profile, permissions, can } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useOpenedOnceThere(opened);
  const replace = useRef(() => {
    if (document.activeElement === before.current) button.current?.focus();
    onLoaded();
  });
  // A layout effect runs before the paint, so only one button is ever visible and it keeps the focus.
  useLayoutEffect(() => replace.current(), []);
  return (
    <Menu opened={isOpen} onChange={onChange} position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <AccountButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Box className={look.wrap} p="6px 12px">
          <strong>{profileName(profile)}</strong>
          <Dim display="block" fz={12}>
            {permissions.join(', ') || 'member'}
          </Dim>
        </Box>
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.profile()} leftSection={<IconUser size={15} />}>
          Profile
        </Menu.Item>
        <Menu.Item component={Link} to={paths.settings()} leftSection={<IconSettings size={15} />}>
          Settings
        </Menu.Item>
        {can('admin') && (
          <Menu.Item component={Link} to={paths.members()} leftSection={<IconUsers size={15} />}>
            Members
          </Menu.Item>
        )}
        {can('superadmin') && (
          <Menu.Item
            component={Link}
            to={paths.superadmin('backups')}
            leftSection={<IconArchive size={15} />}
          >
            Backups
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={onHelp}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {schemes.map(({ value, label, icon: Shape }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
              <Group component="span" gap={10}>
                <Shape size={15} aria-hidden /> {label}
              </Group>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.logout()} leftSection={<IconLogout size={15} />}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
