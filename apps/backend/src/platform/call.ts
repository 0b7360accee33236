/**
 * `@Answers(scripts.insert)`: binds a controller's method to a call of the contract. Path, method, status, validation,
 * access, receipt and time travel come from the call; a wrong type of input or answer does not compile.
 */
import {
  Body,
  createParamDecorator,
  Get,
  HttpCode,
  Post,
  SetMetadata,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { isRead, type Call } from '@quarterdeck/contract';
import type { FastifyRequest } from 'fastify';
import { ACCESS, CALL, commandMeta, sessionOf, type RouteAccess } from './access';
import type { Written } from './answers';
import type { CommandMeta, Session } from './session';
import { valid } from './validation';

/** Who asks, and what a command of theirs carries. */
export interface Asker {
  readonly session: Session;
  readonly meta: CommandMeta;
}

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

const Asked = createParamDecorator((_: unknown, context: ExecutionContext): Asker => {
  const request = requestOf(context);
  // Read on demand: a call that is public has no session.
  return {
    get session() {
      return sessionOf(request);
    },
    get meta() {
      return commandMeta(request);
    },
  };
});

/** What stands in the address of a GET: parts of the path, and the query. */
const Address = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { query, params } = requestOf(context);
  return { ...(query as object), ...(params as object) };
});

/** Further parameters are Nest's own, such as `@Res()`. */
type Handler<Given, Answer> = (
  input: Given,
  asker: Asker,
  ...more: never[]
) => Answer | Written<Answer> | Promise<Answer | Written<Answer>>;

const accessOf = (call: Call): RouteAccess => ({
  level: call.access,
  summary: call.summary,
  answer: call.answer,
  ...(call.asOf ? { past: true } : {}),
  ...(isRead(call) || call.receipt === false ? { receipt: false } : {}),
  ...(call.method === 'GET' && !isRead(call) ? { changes: true } : {}),
});

export const Answers =
  <Given, Answer>(call: Call<unknown, Given, Answer>) =>
  <H extends Handler<Given, Answer>>(
    controller: object,
    name: string,
    method: TypedPropertyDescriptor<H>,
  ): void => {
    const isGet = call.method === 'GET';
    for (const decorate of [
      (isGet ? Get : Post)(call.path),
      HttpCode(200),
      SetMetadata(ACCESS, accessOf(call)),
      SetMetadata(CALL, call),
    ])
      decorate(controller, name, method);
    const pipe: PipeTransform = valid(call.input);
    (isGet ? Address(pipe) : Body(pipe))(controller, name, 0);
    Asked()(controller, name, 1);
  };
