/** Reads an instance from its stream, with its graph and its data, at present or at the instant that is asked about. */
import { Inject, Injectable } from '@nestjs/common';
import { comparePositions, streamName, type RecordedEvent } from '@quarterdeck/events';
import { askedInstant, beforeItsEffect } from '../platform/as-of';
import { notFound } from '../platform/errors';
import { EVENT_STORE, type EventStore } from '../platform/tokens';
import { foldInstance, type InstanceEvent, type InstanceState } from './instance-state';

export type RecordedInstanceEvent = InstanceEvent & RecordedEvent;

export interface ReadInstance {
  id: string;
  workspace: string;
  /** Who started it. */
  by: string;
  correlationId: string;
  state: Exclude<InstanceState, { is: 'unknown' }>;
  events: readonly RecordedInstanceEvent[];
}

@Injectable()
export class InstanceReader {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  async find(id: string, workspace?: string): Promise<ReadInstance | undefined> {
    const events = (await this.store.readStream(
      streamName('workflowInstance', id),
    )) as unknown as RecordedInstanceEvent[];
    const instant = askedInstant.getStore() ?? beforeItsEffect.getStore();
    const then = instant
      ? events.filter(({ position }) => comparePositions(position, instant.position) <= 0)
      : events;
    const [first] = then;
    const state = foldInstance(then);
    if (!first || state.is === 'unknown') return undefined;
    const { actor, correlationId, workspace: home } = first.meta;
    if (workspace !== undefined && home !== workspace) return undefined;
    return { id, workspace: home, by: actor, correlationId, state, events: then };
  }

  /** @throws DomainError `notFound` */
  async read(id: string, workspace: string): Promise<ReadInstance> {
    const found = await this.find(id, workspace);
    if (!found || found.events.at(-1)?.type === 'WorkflowInstanceRemoved')
      throw notFound('workflow instance');
    return found;
  }
}
