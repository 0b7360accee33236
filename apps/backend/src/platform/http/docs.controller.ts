import { Controller, Res } from '@nestjs/common';
import { contract, docs } from '@quarterdeck/contract';
import type { FastifyReply } from 'fastify';
import { Answers, type Asker } from './call';
import { DOCS_POLICY, docsPage } from './docs-page';
import { openApi } from './openapi';

@Controller()
export class DocsController {
  private made: ReturnType<typeof openApi> | undefined;

  @Answers(docs.json)
  description() {
    return (this.made ??= openApi(contract));
  }

  @Answers(docs.page)
  page(_: object, _asker: Asker, @Res({ passthrough: true }) reply: FastifyReply) {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', DOCS_POLICY);
    return docsPage(contract);
  }
}
