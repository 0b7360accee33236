/** Copies a request for another tool. */
import { Menu, Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useCopy } from '../../ui/copying';
import { codeForms, type CodedRequest } from './code-forms';

export const CopyAs = ({ request }: { request: CodedRequest }) => {
  const { outcome, copy } = useCopy();
  const label = outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Not copied' : 'Copy as';
  return (
    <Menu withinPortal position="bottom-start">
      <Menu.Target>
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(codeForms).map(([name, form]) => (
          <Menu.Item key={name} onClick={() => void copy(form(request))}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
