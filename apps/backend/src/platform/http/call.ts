/**
 * `@Answers(scripts.insert)` binds a controller's method to a call of the contract. Path, method, status, validation,
 * access, receipt and time travel come from the call. A wrong type of input or answer does not compile.
 */
import {
  Body,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HttpCode,
  type PipeTransform,
  Post,
  SetMetadata,
} from '@nestjs/common';
import type { Call } from '@quarterdeck/contract';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Written } from './answers';
import { DomainError } from '../errors';
import type { CommandMeta, Session } from '../sessions';
import { fieldMessages } from '@quarterdeck/events/inputs';
import type { z } from 'zod';

/** A run that this call starts waits in line while another one changes its server. */
const WAIT_HEADER = 'x-wait-in-line';

export const CALL = 'quarterdeck:call';

/** The call that the current method answers. */
export const callOf = (context: ExecutionContext): Call | undefined =>
  Reflect.getMetadata(CALL, context.getHandler()) as Call | undefined;

const sessionOf = ({ session }: FastifyRequest): Session => {
  if (!session) throw new DomainError('unauthenticated', 'please sign in');
  return session;
};

const metaOf = (request: FastifyRequest): CommandMeta => {
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
    ...(request.headers[WAIT_HEADER] === 'true' ? { waits: true as const } : {}),
  };
};

/** The caller's session, and the meta for their commands. */
export interface Asker {
  readonly session: Session;
  readonly meta: CommandMeta;
}

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

const Asked = createParamDecorator((_: unknown, context: ExecutionContext): Asker => {
  const request = requestOf(context);
  // Read on demand: a public call has no session.
  return {
    get session() {
      return sessionOf(request);
    },
    get meta() {
      return metaOf(request);
    },
  };
});

/** The input of a GET: the named parts of its path, and its query. */
const Address = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const { query, params } = requestOf(context);
  return { ...(query as object), ...(params as object) };
});

/** Additional parameters are Nest's own, such as `@Res()`. */
type Handler<Given, Answer> = (
  input: Given,
  asker: Asker,
  ...more: never[]
) => Answer | Written<Answer> | Promise<Answer | Written<Answer>>;

type KeysOf<T> = T extends unknown ? keyof T : never;
type At<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** Names of returned fields that are not declared: the compiler would accept them, the schema would not. */
type Undeclared<R, A> = unknown extends A
  ? never
  : string extends KeysOf<A>
    ? never
    : R extends readonly (infer Item)[]
      ? Undeclared<Item, Extract<A, readonly unknown[]>[number]>
      : R extends object
        ? Exclude<keyof R, KeysOf<A>> | UndeclaredWithin<R, A, keyof R & KeysOf<A>>
        : never;
type UndeclaredWithin<R, A, K extends keyof R> = { [F in K]-?: Undeclared<R[F], At<A, F>> }[K];

type Returned<H extends (...args: never[]) => unknown> =
  Awaited<ReturnType<H>> extends infer R ? (R extends Written<infer Body> ? Body : R) : never;

type Exactly<R, A> = [Undeclared<R, A>] extends [never] ? unknown : { undeclared: Undeclared<R, A> };

export const Answers =
  <Given, Answer>(call: Call<unknown, Given, Answer>) =>
  <H extends Handler<Given, Answer>>(
    controller: object,
    name: string,
    method: TypedPropertyDescriptor<H> & Exactly<Returned<H>, Answer>,
  ): void => {
    const isGet = call.method === 'GET';
    const input = valid(call.input, call.specified);
    (isGet ? Get : Post)(call.path)(controller, name, method);
    HttpCode(200)(controller, name, method);
    SetMetadata(CALL, call)(controller, name, method);
    (isGet ? Address(input) : Body(input))(controller, name, 0);
    Asked()(controller, name, 1);
  };

/** Parses the input of a call, or answers 400 with the first message of each field. */
class ValidPipe<S extends z.ZodType> implements PipeTransform<unknown, z.infer<S>> {
  constructor(
    readonly schema: S,
    private readonly specified: (value: unknown) => unknown = (value) => value,
  ) {}

  transform(value: unknown): z.infer<S> {
    // A call without a body counts as an empty object, so that missing fields are named one by one.
    const result = this.schema.safeParse(this.specified(value ?? {}));
    if (result.success) return result.data;
    const data = fieldMessages(result.error);
    throw new DomainError('invalid', Object.values(data)[0] ?? 'this input is not accepted', data);
  }
}

const valid = <S extends z.ZodType>(schema: S, specified?: (value: unknown) => unknown): ValidPipe<S> =>
  new ValidPipe(schema, specified);
