/** The form fields of a domain, and their conversion for calls. */
import { domainEdit } from '@quarterdeck/events/inputs';
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
