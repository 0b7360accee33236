/** Form fields of a server. */
import { DEFAULT_NGINX_PATH, DEFAULT_PATH, DEFAULT_PORT } from '@quarterdeck/events/inputs';
import type { Field } from '../../ui/ResourceForm';
import { serverLabels } from './server-words';

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
    label: serverLabels.host,
    type: 'text',
    mono: true,
    half: true,
    help: 'Host name or IP address.',
    placeholder: 'web-1.example.com',
  },
  { name: 'port', label: serverLabels.port, type: 'number', half: true, optional: true },
  {
    name: 'username',
    label: serverLabels.username,
    type: 'text',
    mono: true,
    half: true,
    placeholder: 'root',
  },
  {
    name: 'root',
    label: serverLabels.root,
    type: 'text',
    mono: true,
    half: true,
    help: 'Base directory.',
    placeholder: '/root',
  },
  { name: 'path', label: serverLabels.path, type: 'text', mono: true, help: 'Directory for static files.' },
  {
    name: 'nginxPath',
    label: serverLabels.nginxPath,
    type: 'text',
    mono: true,
    help: 'Directory for the nginx configuration.',
  },
];

export const newServer = { port: DEFAULT_PORT, path: DEFAULT_PATH, nginxPath: DEFAULT_NGINX_PATH };
