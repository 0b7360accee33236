/** Container registries that want a login. Servers log in to them when an image is pulled. */
import { refusedRegistry, registryNamed } from './image-names';
import { secret, text } from './kit/field';
import { noun } from './kit/noun';

export const registry = noun('registry', {
  path: 'registry',
  many: 'registries',
  named: 'host',
  unique: ['host'],
  fields: {
    host: text(260, {
      help: 'As in the names of its images, with its port if it has one. Docker Hub is docker.io.',
      refuses: refusedRegistry,
      keyOf: registryNamed,
    }),
    username: text(200, { label: 'User name' }),
    token: secret(10_000, {
      label: 'Token or password',
      help: 'One that may only read is enough. Stored encrypted. Administrators can show it; the history records that.',
    }),
  },
});
