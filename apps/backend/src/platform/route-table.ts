/** Every route of the application with what its call or its decorators say: who may call it, what it takes. */
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { contract, type Call } from '@quarterdeck/contract';
import type { z } from 'zod';
import { ACCESS, CALL, type RouteAccess } from './access';
import { ValidPipe } from './validation';

export const PREFIX = 'api';

export interface Route extends RouteAccess {
  method: string;
  /** With the prefix: `/api/server/list`. */
  path: string;
  /** `ServersController.list` */
  handler: string;
  body?: z.ZodType;
  query?: z.ZodType;
  /** Of the contract. */
  call?: Call;
}

export class UndeclaredRoutes extends Error {
  override name = 'UndeclaredRoutes';
  constructor(readonly routes: string[]) {
    super(`these routes do not say who may call them (@Access): ${routes.join(', ')}`);
  }
}

/** Calls that no method answers, or more than one. */
export class UnansweredCalls extends Error {
  override name = 'UnansweredCalls';
}

const asList = (path: string | string[] | undefined): string[] => (Array.isArray(path) ? path : [path ?? '']);

const joined = (...parts: string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;

interface Argument {
  pipes?: unknown[];
}

/** Nest's numbers for the kinds of a handler's parameters. */
const BODY = '3';
const QUERY = '4';

const schemaOf = (controller: Type, name: string, kind: string): z.ZodType | undefined => {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Argument>;
  const pipes = Object.entries(args)
    .filter(([key]) => key.startsWith(`${kind}:`))
    .flatMap(([, argument]) => argument.pipes ?? []);
  return pipes.find((pipe): pipe is ValidPipe<z.ZodType> => pipe instanceof ValidPipe)?.schema;
};

interface Undeclared {
  handler: string;
  level: undefined;
}

const routesOf = (controller: Type): (Route | Undeclared)[] => {
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((name): (Route | Undeclared)[] => {
    const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as object | undefined;
    const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
    if (handler === undefined || method === undefined) return [];
    const title = `${controller.name}.${name}`;
    const access = Reflect.getMetadata(ACCESS, handler) as RouteAccess | undefined;
    if (!access) return [{ handler: title, level: undefined }];
    const bases = asList(Reflect.getMetadata(PATH_METADATA, controller) as string | string[]);
    const paths = asList(Reflect.getMetadata(PATH_METADATA, handler) as string | string[]);
    const call = Reflect.getMetadata(CALL, handler) as Call | undefined;
    const body = call?.method === 'POST' ? call.input : schemaOf(controller, name, BODY);
    const query = call?.method === 'GET' ? call.input : schemaOf(controller, name, QUERY);
    return bases.flatMap((base) =>
      paths.map((path) => ({
        ...access,
        method: RequestMethod[method] ?? 'ALL',
        path: joined(PREFIX, base, path),
        handler: title,
        ...(call ? { call } : {}),
        ...(body ? { body } : {}),
        ...(query ? { query } : {}),
      })),
    );
  });
};

const checkAnswered = (routes: readonly Route[], calls: readonly Call[]): void => {
  const wrong = calls.flatMap((call) => {
    const handlers = routes.filter((route) => route.call === call).map(({ handler }) => handler);
    if (handlers.length === 1) return [];
    return handlers.length === 0
      ? `no method answers ${call.id}`
      : `${call.id} is answered by ${handlers.join(' and ')}`;
  });
  if (wrong.length > 0) throw new UnansweredCalls(wrong.join('; '));
};

/** @throws UndeclaredRoutes, UnansweredCalls */
export const routesOfControllers = (controllers: readonly Type[], calls: readonly Call[]): Route[] => {
  const routes = controllers.flatMap(routesOf);
  const undeclared = routes.filter((route) => route.level === undefined);
  if (undeclared.length > 0) throw new UndeclaredRoutes(undeclared.map((route) => route.handler));
  checkAnswered(routes as Route[], calls);
  return (routes as Route[]).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
};

/** @throws UndeclaredRoutes, UnansweredCalls */
export const routeTable = (discovery: DiscoveryService): Route[] =>
  routesOfControllers(
    discovery
      .getControllers()
      .flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype as Type] : [])),
    contract,
  );
