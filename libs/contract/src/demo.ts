/**
 * The things that examples of calls are about. None of them exists. A test that needs real ones puts their ids in place
 * of these (`e2e/examples.ts`).
 */
import { plainNouns } from '@quarterdeck/events';

const things = [
  'alert',
  'answered',
  'apiUser',
  'app',
  'appToken',
  'archive',
  'backup',
  'cloudDatabase',
  'cmsText',
  'creation',
  'deploy',
  'domain',
  'droplet',
  'email',
  'fleet',
  'invitation',
  'location',
  'mailToken',
  'maintenance',
  'migration',
  'modelImport',
  'person',
  'publicToken',
  'pull',
  'push',
  'pushToken',
  'run',
  'script',
  'secondFactor',
  'server',
  'session',
  'sslRun',
  'text',
  'textComment',
  'textImport',
  'textUnit',
  'variable',
  'version',
  'workflowInstance',
  'workflowState',
  'workflowToken',
] as const;

type Thing = (typeof things)[number] | (typeof plainNouns)[number]['category'];

const idAt = (at: number): string => `0193f0a0-0000-7000-8000-${String(at).padStart(12, '0')}`;

/** An id of each. */
export const demo = Object.fromEntries(
  [...things, ...plainNouns.map(({ category }) => category)].map((thing, at) => [thing, idAt(at + 1)]),
) as Readonly<Record<Thing, string>>;

/** Id of a run that a call starts. The caller may choose it. */
export const newRunId = '0193f0a0-0000-7000-8000-00000000ffff';

/** Position of an event in the history. */
export const position = '1042';

/** SHA-256 of what the caller has seen, such as a preview. */
export const seen = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\n…\n-----END OPENSSH PRIVATE KEY-----\n';

/** One page of a list. */
export const page = { search: 'web', sort: '-name', filters: { name: 'web' }, page: 1, size: 10 } as const;
