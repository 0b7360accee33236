/** The variables that a new service gets. Existing variables are not changed. */
import { Injectable } from '@nestjs/common';
import { environments } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import type { CommandMeta } from '../platform/sessions';
import { Variables, VariableReader } from '../variables';

/** The name in the wizard of the specification. */
const INSTANCE = 'main';
const DEV = 1;

@Injectable()
export class FirstVariables {
  constructor(
    private readonly variables: Variables,
    private readonly existing: VariableReader,
  ) {}

  /**
   * @param run the run that adds the variables: a repeated attempt adds the same ones
   * @returns their keys
   */
  async add(service: string, port: number, run: string, meta: CommandMeta): Promise<string[]> {
    const wanted = [
      { key: 'INSTANCE_NAME', value: INSTANCE, env: DEV },
      ...environments.map((_, at) => ({ key: 'PORT', value: String(port), env: at + 1 })),
    ];
    const added: string[] = [];
    for (const { key, value, env } of wanted) {
      const has = await this.existing.prints(service, env, meta.workspace);
      if (has.some((one) => one.key === key)) continue;
      const once = { ...meta, commandId: uuidv5(`${key} ${env}`, run), keyed: true as const };
      await this.variables.add(service, undefined, { key, value, env, secret: false }, once);
      added.push(`${key} (${environments[env - 1]})`);
    }
    return added;
  }
}
