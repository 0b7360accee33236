/** What runs of a product: the parts that are deployed from repositories to servers. */
import { choice, flag, integer, optionalText, reference, text } from './kit/field';
import { noun } from './kit/noun';

/** A container runs on its server. Everything else is for the client, such as a folder of static files. */
export const packageTypes = ['container', 'npm'] as const;

export const service = noun('service', {
  path: 'service',
  within: 'product',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100),
    nameFront: optionalText(100, {
      label: 'Name of the client part',
      help: 'Only if it has a repository of its own.',
    }),
    organization: text(100, { help: 'At the source-code host.' }),
    repo: text(100, { label: 'Repository' }),
    repoFront: optionalText(100, { label: 'Repository of the client part' }),
    server: reference('server', { help: 'The server that it is deployed to.' }),
    port: integer(65_535, { min: 1, initial: 3000, help: 'The port at which it answers requests.' }),
    packageType: choice(packageTypes, { label: 'Package' }),
    packageSubfolder: optionalText(200, {
      label: 'Docker name or path of the package',
      help: 'If empty, it is that of the repository.',
    }),
    withDb: flag({ label: 'With database' }),
  },
});
