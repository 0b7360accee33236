import { Controller, Inject, Req, Res } from '@nestjs/common';
import { metrics, probes } from '@quarterdeck/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Answers, type Asker, mayProbe, Metrics } from '../http';
import { CONFIG, type Config } from '../tokens';
import { Readiness } from './readiness';

@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Answers(probes.live)
  live() {
    return { status: 'ok' as const };
  }

  @Answers(probes.ready)
  async ready(
    _: object,
    _asker: Asker,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { state, checks } = await this.readiness.look();
    if (state === 'unavailable' || state === 'draining') void reply.code(503).header('retry-after', '2');
    return { status: state, ...(mayProbe(request, this.config) ? { checks } : {}) };
  }

  @Answers(metrics.figures)
  async figures(_: object, _asker: Asker, @Res({ passthrough: true }) reply: FastifyReply) {
    void reply.header('content-type', this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }
}
