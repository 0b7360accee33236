/**
 * Finds out that a proxy hides all callers behind its own address. Limits would then count everybody as one. A single
 * address proves nothing by itself, because one person may use the console alone. So this is only told where a proxy
 * has to be in front, and until a second address has called.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { HiddenCallers } from '@quarterdeck/projections';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerAddress, isBehindProxy, isTrustedProxy } from '../caller-address';
import { CONFIG, LOGGER, type Config, type Logger } from '../tokens';

/** A page of the console makes about ten. */
const CALLS = 50;
/** Probes come from the machine or its orchestrator, not through the proxy. */
const PROBES = /^\/api\/(?:health\/(?:live|ready)|metrics)/;

const remedy = ({ trusted, reports }: HiddenCallers): string => {
  if (reports) return 'if this is your proxy, name it in TRUSTED_PROXIES';
  const send = 'if this is a proxy, let it send the header X-Forwarded-For';
  return trusted ? send : `${send}, and name it in TRUSTED_PROXIES`;
};

@Injectable()
export class CallerWatch {
  private only: HiddenCallers | undefined;
  private calls = 0;
  private isOver: boolean;
  private readonly isTrusted: (address: string) => boolean;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.isOver = !isBehindProxy(config);
    this.isTrusted = isTrustedProxy(config);
  }

  /** Set when enough calls have come from one address only. */
  get finding(): HiddenCallers | undefined {
    return this.isOver || this.calls < CALLS ? undefined : this.only;
  }

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (request.url.startsWith('/api/') && !PROBES.test(request.url)) this.note(request, request);
      done();
    });
  }

  note(
    addresses: Parameters<typeof callerAddress>[0],
    { headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>,
  ): void {
    if (this.isOver) return;
    const address = callerAddress(addresses);
    const direct = callerAddress({ ip: socket.remoteAddress ?? '' });
    // A trusted proxy reports addresses, or people come from several: nothing is hidden.
    if (address !== direct || (this.only && this.only.address !== address)) {
      this.isOver = true;
      return;
    }
    const reports = headers['x-forwarded-for'] !== undefined;
    this.only = { address, trusted: this.isTrusted(address), reports };
    this.calls += 1;
    if (this.calls === CALLS)
      this.logger.warn(
        this.only,
        `all ${CALLS} calls so far came from ${address}, so limits count everybody as one: ${remedy(this.only)}`,
      );
  }
}
