/** Checks before anything listens that methods and calls of the contract match. */
import type { Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import type { DiscoveryService } from '@nestjs/core';
import { contract, type Call } from '@quarterdeck/contract';
import { CALL } from './call';

export const PREFIX = 'api';

export class BrokenContract extends Error {
  override name = 'BrokenContract';
}

interface Route {
  /** `ServersController.list` */
  handler: string;
  call: Call | undefined;
}

const routesOf = (controller: Type): Route[] =>
  Object.entries(Object.getOwnPropertyDescriptors(controller.prototype)).flatMap(([name, { value }]) => {
    const handler = value as object | undefined;
    if (typeof handler !== 'function' || Reflect.getMetadata(METHOD_METADATA, handler) === undefined)
      return [];
    const call = Reflect.getMetadata(CALL, handler) as Call | undefined;
    return [{ handler: `${controller.name}.${name}`, call }];
  });

/** @throws BrokenContract for a call without a method or with several, and for a method without a call */
export const checkBindings = (controllers: readonly Type[], calls: readonly Call[] = contract): void => {
  const routes = controllers.flatMap(routesOf);
  const wrong = [
    ...routes.flatMap(({ handler, call }) => (call ? [] : `${handler} is bound to no call (@Answers)`)),
    ...calls.flatMap((call) => {
      const handlers = routes.filter((route) => route.call === call).map(({ handler }) => handler);
      if (handlers.length === 1) return [];
      return handlers.length === 0
        ? `no method answers ${call.id}`
        : `${call.id} is answered by ${handlers.join(' and ')}`;
    }),
  ];
  if (wrong.length > 0) throw new BrokenContract(wrong.join('; '));
};

export const controllersOf = (discovery: DiscoveryService): Type[] =>
  discovery
    .getControllers()
    .flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype as Type] : []));
