/**
 * What features do when another feature does something. That feature names the moment and does not know who waits for
 * it. The others list what they do in their `index.ts`, so a search for `on: afterServerRemoval` finds all of it.
 */
import { Injectable, type FactoryProvider, type Type } from '@nestjs/common';
import type { Port } from './port';

/** `W` is what is done then. Moments of the same name are the same moment. */
export interface Moment<W> {
  readonly name: string;
  /** Never set; it ties the name to the type. */
  readonly work?: W;
}

export const moment = <W>(name: string): Moment<W> => ({ name });

@Injectable()
export class Hooks {
  private readonly all = new Map<string, unknown[]>();

  add<W>({ name }: Moment<W>, work: W): void {
    this.all.set(name, [...(this.all.get(name) ?? []), work]);
  }

  of<W>({ name }: Moment<W>): readonly W[] {
    return (this.all.get(name) ?? []) as W[];
  }
}

interface Hook<W, T> {
  /** A moment, or a port: what one feature needs and exactly one other provides. */
  on: Moment<W> | PortType<W>;
  /** The class that does it. */
  by: Type<T>;
  does: (it: T) => W;
}

type PortType<W> = abstract new (...args: never[]) => Port<W>;

/** For the providers of a feature. */
export const hook = <W, T>({ on, by, does }: Hook<W, T>): FactoryProvider => ({
  provide: Symbol(`${by.name} on ${on.name}`),
  inject: [typeof on === 'function' ? on : Hooks, by],
  useFactory: (to: Hooks | Port<W>, it: T) =>
    to instanceof Hooks ? to.add(on, does(it)) : to.give(does(it)),
});
