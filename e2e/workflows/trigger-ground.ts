/** A console with short forms of the calls about workflows and what starts them. */
import { randomUUID } from 'node:crypto';
import type { WorkflowFiring, WorkflowInstanceDetail } from '@quarterdeck/contract';
import type { WorkflowDoes } from '@quarterdeck/events';
import type { AlertView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { openWorld, type World } from '../backend/world';

interface Ids {
  id: string;
}

export interface TriggerGround {
  world: World;
  alice: Operator;
  ask<T = Ids>(path: string, body: object): Promise<T>;
  /** A published workflow whose nodes follow each other. @returns its id */
  workflow(...does: WorkflowDoes[]): Promise<string>;
  /** @returns the id of a trigger */
  trigger(workflow: string, data: object): Promise<string>;
  instances(workflow: string): Promise<WorkflowInstanceDetail[]>;
  start(workflow: string, data?: object): Promise<string>;
  instanceThat(id: string, is: WorkflowInstanceDetail['is']): Promise<WorkflowInstanceDetail>;
  firings(trigger: string): Promise<WorkflowFiring[]>;
  alertsAbout(about: AlertView['about']): Promise<AlertView[]>;
}

export const openTriggerGround = async (): Promise<TriggerGround> => {
  const world = await openWorld();
  const alice = await world.backend.signIn();
  return { world, alice, ...callsOf(alice) };
};

export const callsOf = (alice: Operator): Omit<TriggerGround, 'world' | 'alice'> => {
  const ask = async <T = Ids>(path: string, body: object): Promise<T> => {
    const answer = await alice.post<T>(path, body);
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status: 200 });
    return answer.body;
  };
  const node = async (workflow: string, does: WorkflowDoes, at: number): Promise<string> => {
    const data = { name: `Node ${at + 1}`, does, isStart: at === 0, keepAs: `node${at + 1}` };
    return (await ask('workflow/node/insert', { data, workflow: { id: workflow } })).id;
  };
  const detail = (id: string) => ask<WorkflowInstanceDetail>('workflow/instance/detail', { id });
  return {
    ask,
    workflow: async (...all) => {
      const { id } = await ask('workflow/insert', { data: { name: `W ${randomUUID()}` } });
      let before: string | undefined;
      for (const [at, does] of all.entries()) {
        const made = await node(id, does, at);
        if (before !== undefined) {
          const data = {
            name: `Way ${at}`,
            from: { id: before },
            to: { id: made },
            on: 'done',
            when: '',
            order: at,
          };
          await ask('workflow/transition/insert', { data, workflow: { id } });
        }
        before = made;
      }
      await ask('workflow/publish', { id });
      return id;
    },
    trigger: async (workflow, data) => {
      const fields = { name: `T ${randomUUID()}`, isOn: true, isSigned: true, ...data };
      return (await ask('workflow/trigger/insert', { data: fields, workflow: { id: workflow } })).id;
    },
    instances: (workflow) => ask('workflow/instance/list', { id: workflow }),
    start: async (workflow, data = {}) =>
      (await ask('workflow/instance/insert', { workflow: { id: workflow }, data })).id,
    instanceThat: async (id, is) => {
      let found = await detail(id);
      await until(async () => {
        found = await detail(id);
        return found.is === is;
      });
      return found;
    },
    firings: (trigger) => ask('workflow/trigger/firings', { id: trigger }),
    alertsAbout: async (about) =>
      (await ask<AlertView[]>('alert/list', {})).filter((alert) => alert.about === about),
  };
};
