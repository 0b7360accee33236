/** Who may call a route, said on the route. A route that says nothing does not start (`route-table.ts`). */
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Role } from '@quarterdeck/events';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { DomainError } from './errors';
import type { CommandMeta, Session } from './session';

/** `local`: anybody who asks from this machine. */
export type AccessLevel = 'public' | 'local' | Role;

export interface RouteOptions {
  /** One line for the API's description. */
  summary?: string;
  /** Shape of the answer, for the API's description. */
  answer?: z.ZodType;
  /** A GET that changes something needs `X-Requested-With`, as every POST does. */
  changes?: boolean;
  /** `false`: answers hold secrets (or are plain reads), so none is kept for a repeated Idempotency-Key. */
  receipt?: boolean;
  /** Also answers about an instant of the past (`X-At`); every other route refuses one. */
  past?: boolean;
}

export interface RouteAccess extends RouteOptions {
  level: AccessLevel;
}

export const ACCESS = 'quarterdeck:access';
/** The call that a method answers. */
export const CALL = 'quarterdeck:call';

export const Access = (level: AccessLevel, options: RouteOptions = {}): MethodDecorator =>
  SetMetadata(ACCESS, { level, ...options } satisfies RouteAccess);

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

export const sessionOf = (request: FastifyRequest): Session => {
  if (!request.session) throw new DomainError('unauthenticated', 'please sign in');
  return request.session;
};

/** `list(@CurrentSession() session: Session)` */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext) =>
  sessionOf(requestOf(context)),
);

export const commandMeta = (request: FastifyRequest): CommandMeta => {
  const session = sessionOf(request);
  const commandId = request.commandId ?? uuidv7();
  return {
    actor: session.person,
    workspace: session.workspace,
    correlationId: request.correlationId,
    causationId: commandId,
    at: new Date().toISOString(),
    commandId,
    ...(request.commandId ? { keyed: true as const } : {}),
  };
};

/** `insert(@Meta() meta: CommandMeta)` */
export const Meta = createParamDecorator((_: unknown, context: ExecutionContext) =>
  commandMeta(requestOf(context)),
);
