/** Form fields of a server. */
import { DEFAULT_NGINX_PATH, DEFAULT_PATH, DEFAULT_PORT } from '@quarterdeck/events/inputs';
import type { Field } from '../../ui/ResourceForm';

export const serverFields: readonly Field[] = [
  {
    name: 'alias',
    label: 'Alias',
    type: 'text',
    help: 'A short, unique name.',
    placeholder: 'web-1',
  },
  {
    name: 'host',
    label: 'Host',
    type: 'text',
    mono: true,
    half: true,
    help: 'Host name or IP address.',
    placeholder: 'web-1.example.com',
  },
  { name: 'port', label: 'SSH port', type: 'number', half: true, optional: true },
  { name: 'username', label: 'Username', type: 'text', mono: true, half: true, placeholder: 'root' },
  {
    name: 'root',
    label: 'Root',
    type: 'text',
    mono: true,
    half: true,
    help: 'Base directory.',
    placeholder: '/root',
  },
  { name: 'path', label: 'Path', type: 'text', mono: true, help: 'Directory for static files.' },
  {
    name: 'nginxPath',
    label: 'NGINX Path',
    type: 'text',
    mono: true,
    help: 'Directory for the nginx configuration.',
  },
];

export const newServer = { port: DEFAULT_PORT, path: DEFAULT_PATH, nginxPath: DEFAULT_NGINX_PATH };
