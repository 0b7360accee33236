/** The form fields of a domain, and their conversion for calls. */
import { asciiName, domainEdit } from '@quarterdeck/events/inputs';
import type { DomainView } from '@quarterdeck/projections';
import { z } from 'zod';
import type { ApiError } from '../../core/http';
import { serverWithHostChoices } from '../../records/choices';
import type { Field } from '../../ui/ResourceForm';

/** The form holds the server's id; calls take `{ id }`. */
export const domainForm = z.preprocess((values) => {
  const { server, ...others } = values as { server?: string };
  return server === undefined ? others : { ...others, server: { id: server } };
}, domainEdit);

export const domainFields: readonly Field[] = [
  {
    name: 'serverName',
    label: 'Domain name',
    type: 'text',
    mono: true,
    placeholder: 'shop.example.org',
    help: 'As visitors type it. International names are allowed.',
  },
  {
    name: 'server',
    label: 'Server',
    type: 'reference',
    from: serverWithHostChoices,
    help: 'The server that the domain points to.',
  },
];

/** Asked only if something would stay there, and the name or the server is being changed. */
export const leaveField = ({ serverName, server, config, certificate }: DomainView): Field => ({
  name: 'leave',
  label: `Leave its ${config ? 'configuration' : 'certificate'} on ${server.alias ?? 'its server'}`,
  type: 'checkbox',
  help: 'For a server that no longer answers. You can remove it there later, from this page.',
  when: (draft) =>
    (config !== undefined || certificate !== undefined) &&
    ((typeof draft.serverName === 'string' && asciiName(draft.serverName) !== serverName) ||
      draft.server !== server.id),
});

interface Identified {
  serverName: string;
  server: { id: string };
}

export const valuesOf = <T extends Identified>(domain: T) => ({ ...domain, server: domain.server.id });

/** Values that someone else saved meanwhile, in the form's own shape. */
export const withFormValues = (error: ApiError): ApiError => {
  const { current } = error;
  const isDomain =
    typeof current === 'object' && current !== null && 'server' in current && 'serverName' in current;
  return isDomain ? { ...error, current: valuesOf(current as Identified) } : error;
};
