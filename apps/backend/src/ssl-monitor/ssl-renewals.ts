/**
 * One renewal of an SSL run: a separate run on the domain's server. Its row is written before it begins. A process that
 * resumes the SSL run follows the renewal to its end, and orders nothing twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SslCheck, SslRenewal } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import type { LocalIo, RecordedRun, RunEngine } from '../runs';
import type { ServerRegistry } from '../servers';
import {
  type Certificates,
  lookAt,
  type LookDeps,
  type RenewalPlan,
  type RenewalPlans,
} from '../certificates';
import { patiently } from './ssl-patience';
import { sslWords } from './ssl-words';

export interface RenewalDeps extends LookDeps {
  engine: RunEngine;
  certificates: Certificates;
  servers: ServerRegistry;
  plans: RenewalPlans;
}

/** A fixed command. */
const RELOAD_NGINX = 3;
/** How long nginx workers may take to serve a certificate after a reload. */
const RELOADED_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 500;

/** Another change is running on the server, or the subject is gone. */
const notNow: Partial<Record<DomainError['code'], SslRenewal['is']>> = {
  conflict: 'putOff',
  notFound: 'skipped',
};

export class SslRenewals {
  constructor(
    private readonly deps: RenewalDeps,
    private readonly run: string,
    private readonly io: LocalIo,
    /** Writes the outcome as soon as it is known. */
    private readonly write: (domain: string, renewal: SslRenewal) => Promise<void>,
  ) {}

  /** @param turn awaited before anything is asked of a server or an authority */
  async perform(check: SslCheck, plan: RenewalPlan, turn: () => Promise<void>): Promise<SslRenewal> {
    const { domain, serverName } = check;
    if (plan.do === 'leave') return this.skipped(serverName, plan.reason);
    if (plan.do === 'reload') {
      await turn();
      return this.reload(serverName, plan);
    }
    const late = await patiently(this.io.signal, () => this.deps.plans.putOff(domain, this.workspace));
    if (late !== undefined) return this.putOff(serverName, late);
    await turn();
    const run = uuidv5(`renew ${domain}`, this.run);
    await this.write(domain, { is: 'underWay', run, reason: plan.reason });
    return this.renew(check, run, plan.reason);
  }

  /** Continues after the process that began it has died. */
  async resume(check: SslCheck): Promise<SslRenewal> {
    const { run = '', reason = '' } = check.renewal ?? {};
    const { end, signal } = this.io;
    // Resumed only to be ended, so an order that was not placed yet is not placed any more.
    if (end.aborted && !(await patiently(signal, () => this.deps.engine.knows(run, this.workspace))))
      return this.skipped(check.serverName, 'The run ended before its turn came.');
    return this.renew(check, run, reason);
  }

  private async renew({ domain, serverName }: SslCheck, run: string, reason: string): Promise<SslRenewal> {
    const { certificates, plans } = this.deps;
    this.say(sslWords.renewing(serverName, reason));
    const order = () =>
      certificates.order(domain, { runId: run, force: true, parent: this.run }, this.caused());
    return this.judged(serverName, run, order, async () => {
      const validTo = await patiently(this.io.signal, () => plans.validTo(domain, this.workspace));
      this.say(sslWords.renewed(serverName, validTo));
      return { is: 'renewed', run };
    });
  }

  /** Once for all domains of a server. */
  private async reload(
    serverName: string,
    { server, serial, reason }: RenewalPlan & { do: 'reload' },
  ): Promise<SslRenewal> {
    const run = uuidv5(`reload ${server}`, this.run);
    this.say(sslWords.reloading(serverName, reason));
    const order = async () => {
      const { alias } = await this.deps.servers.server(server, this.workspace);
      const subject = { kind: 'server', id: server, name: alias };
      const what = { subject, input: { cmdType: RELOAD_NGINX }, parent: this.run };
      await this.deps.engine.start(run, 'command', what, this.caused());
    };
    return this.judged(serverName, run, order, async () => {
      if (!(await this.shows(serverName, serial)))
        return this.failed(serverName, 'notServed', `It still does not present certificate ${serial}.`, run);
      this.say(sslWords.reloaded(serverName));
      return { is: 'reloaded', run };
    });
  }

  private async shows(serverName: string, serial: string): Promise<boolean> {
    for (const began = performance.now(); performance.now() - began < RELOADED_WITHIN_MS;) {
      const { found } = await lookAt(this.deps, serverName, 0, this.io.signal);
      if (found.serial === serial) return true;
      await sleep(LOOK_AGAIN_MS, undefined, { signal: this.io.signal });
    }
    return false;
  }

  private async judged(
    serverName: string,
    run: string,
    order: () => Promise<unknown>,
    succeeded: () => Promise<SslRenewal>,
  ): Promise<SslRenewal> {
    try {
      const { end, position } = await this.carriedOut(run, order);
      await patiently(this.io.signal, () => this.deps.plans.known(position));
      if (end.is === 'succeeded') return await succeeded();
      if (end.is === 'cancelled')
        return this.skipped(serverName, `Its renewal was cancelled: ${end.reason}`, run);
      return this.failed(serverName, 'code' in end ? end.code : end.is, end.reason, run);
    } catch (error) {
      if (this.io.signal.aborted || !(error instanceof DomainError)) throw error;
      const { code, msg } = error;
      if (notNow[code] === 'putOff') return this.putOff(serverName, msg);
      if (notNow[code] === 'skipped') return this.skipped(serverName, msg);
      return this.failed(serverName, code, msg);
    }
  }

  /** Waits until the run ends, whichever process began it. A cancel or timeout of the SSL run ends it too. */
  private async carriedOut(run: string, order: () => Promise<unknown>): Promise<RecordedRun> {
    const { engine } = this.deps;
    const { end, signal } = this.io;
    let ended = false;
    const cancel = (): void => engine.cancelPart(run, this.caused(), () => !ended);
    try {
      // If the run exists it is only followed: a new order would be a different one, since the first attempt may have
      // got far.
      if (!(await patiently(signal, () => engine.knows(run, this.workspace)))) await patiently(signal, order);
      end.addEventListener('abort', cancel, { once: true });
      if (end.aborted) cancel();
      return await patiently(signal, () => engine.ended(run, this.workspace));
    } finally {
      ended = true;
      end.removeEventListener('abort', cancel);
    }
  }

  private putOff(serverName: string, reason: string): SslRenewal {
    this.say(sslWords.renewalPutOff(serverName, reason));
    return { is: 'putOff', reason };
  }

  private skipped(serverName: string, reason: string, run?: string): SslRenewal {
    this.say(sslWords.skipped(serverName, reason));
    return { is: 'skipped', reason, ...(run !== undefined && { run }) };
  }

  private failed(serverName: string, status: string, reason: string, run?: string): SslRenewal {
    this.say(sslWords.renewalFailed(status));
    this.say(sslWords.cause(serverName, reason));
    return { is: 'failed', reason, ...(run !== undefined && { run }) };
  }

  private get workspace(): string {
    return this.io.meta.workspace;
  }

  private caused(): CommandMeta {
    return followUp(this.io.meta, this.run);
  }

  private say(line: string): void {
    this.io.print(`${line}\n`);
  }
}
