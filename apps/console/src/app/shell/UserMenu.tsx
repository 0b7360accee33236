import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUser,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { profileName, useSession } from '../../core/session';
import styles from './Shell.module.css';

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
] as const;

export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const { profile, permissions, can } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Your account">
          <IconUserCircle size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <strong>{profileName(profile)}</strong>
          <span>{permissions.join(', ') || 'member'}</span>
        </div>
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
        <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={onHelp}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {schemes.map(({ value, label, icon: Shape }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            closeMenuOnClick={false}
            leftSection={<Shape size={15} />}
            rightSection={colorScheme === value && <IconCheck size={15} aria-hidden />}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.logout()} leftSection={<IconLogout size={15} />}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
