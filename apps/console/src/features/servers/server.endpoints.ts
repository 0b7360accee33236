/** The calls about servers. What they make stale is also told by the socket; own changes do not wait for it. */
import type { ServerView } from '@quarterdeck/projections';
import { api, tagOf, tagsOf } from '../../app/api';
import type { SetUp } from './set-ups';

export interface ServerFields {
  alias: string;
  host: string;
  port?: number;
  username: string;
  root: string;
  path: string;
  nginxPath: string;
}

export interface KeyFields {
  privateKey: string;
  passphrase?: string;
}

export interface Written {
  id: string;
  uuid: string;
}

export interface CommandResult {
  out: string;
  runId: string;
  exitCode?: number;
  durationMs: number;
  state: string;
}

export interface Contact {
  hostKey: { algorithm: string; fingerprint: string };
  /** Whether this was the first contact, which pinned the key. */
  pinned: boolean;
  software: string;
}

const setUpCalls: Record<SetUp, string> = { initializeServer: 'init', installDocker: 'install-docker' };

const post = (url: string) => (body: unknown) => ({ url: `/server/${url}`, body });

export const serverApi = api.injectEndpoints({
  endpoints: (build) => ({
    servers: build.query<ServerView[], void>({
      query: () => post('list')({}),
      providesTags: tagsOf('servers'),
    }),
    server: build.query<ServerView, string>({
      query: (id) => post('detail')({ id }),
      providesTags: (_row, _error, id) => tagOf('servers', id),
    }),
    /** What goes along when the server is deleted; asked for anew each time. */
    domainsThatGo: build.query<{ serverName: string }[], string>({
      query: (id) => ({ url: '/domain/listByServer', body: { server: { id } } }),
    }),
    addServer: build.mutation<Written, ServerFields & KeyFields>({
      query: post('insert'),
      invalidatesTags: tagsOf('servers'),
    }),
    updateServer: build.mutation<Written, { id: string; data: ServerFields; revision?: number }>({
      query: post('update'),
      invalidatesTags: (_result, _error, { id }) => tagsOf('servers', [id]),
    }),
    replaceServerKey: build.mutation<Written, { id: string } & KeyFields>({
      query: post('update/private-key'),
      invalidatesTags: (_result, _error, { id }) => tagsOf('servers', [id]),
    }),
    downloadServerKey: build.mutation<{ privateKey: string; filename: string }, string>({
      query: (id) => post('private-key/download')({ id }),
    }),
    removeServer: build.mutation<Written, { id: string; alias: string }>({
      query: post('delete'),
      invalidatesTags: tagsOf('servers'),
    }),
    contactServer: build.mutation<Contact, string>({
      query: (id) => post('contact')({ id }),
      // A failure may have changed the server too: a refused host key is noted on it.
      invalidatesTags: (_result, _error, id) => tagsOf('servers', [id]),
    }),
    acceptHostKey: build.mutation<Written, { id: string; fingerprint: string }>({
      query: post('host-key/accept'),
      invalidatesTags: (_result, _error, { id }) => tagsOf('servers', [id]),
    }),
    runCommand: build.mutation<CommandResult, { id: string; cmdType: number; runId: string }>({
      query: post('execCmd'),
      invalidatesTags: (_result, _error, { id }) => tagsOf('servers', [id]),
    }),
    setUpServer: build.mutation<{ runId: string }, { id: string; what: SetUp; runId: string }>({
      query: ({ what, ...body }) => post(setUpCalls[what])(body),
      invalidatesTags: (_result, _error, { id }) => tagsOf('servers', [id]),
    }),
  }),
});

export const {
  useServersQuery,
  useServerQuery,
  useLazyDomainsThatGoQuery,
  useAddServerMutation,
  useUpdateServerMutation,
  useReplaceServerKeyMutation,
  useDownloadServerKeyMutation,
  useRemoveServerMutation,
  useContactServerMutation,
  useAcceptHostKeyMutation,
  useRunCommandMutation,
  useSetUpServerMutation,
} = serverApi;
