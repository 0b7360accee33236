import { Controller, Get, Inject, Res } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { Access } from './access';
import { DOCS_POLICY, docsPage } from './docs-page';
import { openApi } from './openapi';
import { routeTable, type Route } from './route-table';

@Controller()
export class DocsController {
  private table: Route[] | undefined;

  constructor(@Inject(DiscoveryService) private readonly discovery: DiscoveryService) {}

  @Get('docs-json')
  @Access('public', { summary: 'The calls as OpenAPI 3.1' })
  description(): object {
    return openApi(this.routes());
  }

  @Get('docs')
  @Access('public', { summary: 'The calls as a page' })
  page(@Res({ passthrough: true }) reply: FastifyReply): string {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', DOCS_POLICY);
    return docsPage(this.routes());
  }

  private routes(): Route[] {
    return (this.table ??= routeTable(this.discovery));
  }
}
