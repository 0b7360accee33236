/** What the console and the process of a served API say to each other over IPC. */
import type { ApiOptions, Endpoint } from '@quarterdeck/api';
import type { ReplayedRequest } from '@quarterdeck/contract';
import type { Model } from '@quarterdeck/data-model';
import type { OauthService } from '@quarterdeck/events';
import type { Batch } from './child/counts';
import type { DatabaseAccess, DatabaseLimits } from './child/connections';
import type { CallSettings } from './child/service-calls';
import type { Sample } from './samples';

/** What a service knows an API as. */
export interface ServiceClient {
  readonly service: OauthService;
  readonly clientId: string;
  /** Undefined: nobody can sign in with it. */
  readonly secret?: string | undefined;
  readonly redirectUrl: string;
  readonly options: Readonly<Record<string, string>>;
  /** Addresses of the service. Users begin at the first, and it may name another one of them. */
  readonly issuers: readonly string[];
}

/** An API as it is at one position of the log. */
export interface ApiDescription {
  /** Id of the instance. */
  readonly instance: string;
  readonly position: string;
  readonly model: Model;
  readonly options: ApiOptions;
  readonly endpoints: readonly { readonly id: string; readonly endpoint: Endpoint }[];
  /** SHA-256 of the token for the permission `app`, in hexadecimal. */
  readonly tokenHash?: string | undefined;
  /** Whether the console can send an e-mail to a user who has forgotten the password. */
  readonly sendsMails?: boolean;
  /** Those with which its users may sign in. */
  readonly services?: readonly ServiceClient[];
  /** A port of its own, besides the Unix socket. */
  readonly listens?: ListenAddress | undefined;
  /** Of one caller. */
  readonly requestsPerMinute: number;
  /** Time of one snippet with its calls. */
  readonly snippetMs: number;
}

/** A user has asked for a new password. */
export interface ResetAsked {
  readonly email: string;
  /** The code that sets it. */
  readonly token: string;
  /** How long it is valid. */
  readonly minutes: number;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A port of its own. `problem`: why nobody answers there. */
export interface PortState extends ListenAddress {
  readonly problem?: string | undefined;
}

/** The first message: where to listen, and how to reach the database. Both stay for the life of the process. */
export interface Beginning {
  readonly is: 'begin';
  readonly socket: string;
  /** Those whose `X-Forwarded-For` is believed on a port of its own. */
  readonly proxies?: readonly string[];
  readonly database: DatabaseAccess;
  readonly limits: DatabaseLimits;
  /** Absent: it may call nothing out. */
  readonly calls?: CallSettings;
}

/** Requests that two definitions of one endpoint are to answer. */
export interface ReplayAsked {
  /** With this endpoint only, as it is. */
  readonly description: ApiDescription;
  readonly changed: Endpoint;
  readonly samples: readonly Sample[];
}

/** `left`: how many were not sent in time. `problem`: why the changed one cannot be served. */
export type Replayed =
  | { readonly requests: readonly ReplayedRequest[]; readonly left: number }
  | { readonly problem: string };

export type ToChild =
  | Beginning
  | { readonly is: 'define'; readonly description: ApiDescription }
  /** Requests that name the key are answered by it, for reads. */
  | { readonly is: 'keep'; readonly key: string; readonly description: ApiDescription }
  | ({ readonly is: 'replay'; readonly key: string } & ReplayAsked)
  /** The requests under way are answered before it ends. */
  | { readonly is: 'stop' };

export type ToConsole =
  | { readonly is: 'listening' }
  /** `problem`: why it does not listen there. It tries again by itself. */
  | { readonly is: 'port'; readonly listens: ListenAddress; readonly problem?: string | undefined }
  /** Requests that come from now on are answered by it. `problems`: by id of the endpoint. */
  | {
      readonly is: 'defined';
      readonly position: string;
      readonly ms: number;
      readonly problems: Readonly<Record<string, string>>;
    }
  | { readonly is: 'kept'; readonly key: string }
  | ({ readonly is: 'reset' } & ResetAsked)
  /** Without `replayed`, it was not possible. */
  | { readonly is: 'replayed'; readonly key: string; readonly replayed?: Replayed }
  | ({ readonly is: 'counts' } & Batch)
  | { readonly is: 'fault'; readonly message: string; readonly endpoint?: string | undefined };
