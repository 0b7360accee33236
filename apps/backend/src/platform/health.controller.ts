import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from './access';
import { Metrics } from './metrics';
import { Readiness } from './readiness';

@Controller()
export class HealthController {
  constructor(
    @Inject(Readiness) private readonly readiness: Readiness,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  @Get('health/live')
  @Access('public', { summary: 'Whether the process answers' })
  live(): object {
    return { status: 'ok' };
  }

  @Get('health/ready')
  @Access('public', { summary: 'Whether calls can be served: database, event log, read models' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const { state, checks } = await this.readiness.look();
    if (state === 'unavailable') void reply.code(503).header('retry-after', '2');
    return { status: state, checks };
  }

  @Get('metrics')
  @Access('local', { summary: 'Figures for Prometheus' })
  async figures(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.header('content-type', this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }
}
