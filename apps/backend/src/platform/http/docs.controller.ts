import { Controller, Res } from '@nestjs/common';
import { type Call, contract, docs, requestTo } from '@quarterdeck/contract';
import { publicReads } from '@quarterdeck/contract/public-reads';
import type { FastifyReply } from 'fastify';
import { Answers, type Asker } from './call';
import { openApi } from './openapi';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { PREFIX } from './bindings';

/** Also what is answered beside the calls. */
const described: readonly Call[] = [...contract, ...Object.values(publicReads)];

@Controller()
export class DocsController {
  private made: ReturnType<typeof openApi> | undefined;

  @Answers(docs.json)
  description() {
    return (this.made ??= openApi(described));
  }

  @Answers(docs.page)
  page(_: object, _asker: Asker, @Res({ passthrough: true }) reply: FastifyReply) {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', DOCS_POLICY);
    return docsPage(described);
  }
}

/** The documentation of all calls as a page without scripts. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

interface Shape {
  type?: string | string[];
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
}

const typeOf = (shape: Shape): string => {
  if (shape.anyOf) return shape.anyOf.map(typeOf).join(' or ');
  if (Array.isArray(shape.type)) return shape.type.join(' or ');
  if (shape.type === 'array') return `${typeOf(shape.items ?? {})}[]`;
  return shape.type ?? 'any';
};

const rowsOf = (shape: Shape, prefix = ''): string =>
  Object.entries(shape.properties ?? {})
    .map(([name, field]) => {
      const required = shape.required?.includes(name) ? 'required' : 'optional';
      const row = `<tr><td><code>${escaped(prefix + name)}</code></td><td>${escaped(typeOf(field))}</td><td>${required}</td></tr>`;
      return row + rowsOf(field, `${prefix}${name}.`);
    })
    .join('');

const tableOf = (schema: z.ZodType): string => {
  const rows = rowsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape);
  return (
    rows &&
    `<table><thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${rows}</tbody></table>`
  );
};

/** Its body, or its address with the query. */
const exampleOf = (call: Call): string => {
  if (call.example === undefined) return '';
  const { path, body } = requestTo(call, call.example);
  const text = body ? JSON.stringify(body, undefined, 2) : `/${PREFIX}/${path}`;
  return `<pre aria-label="Example">${escaped(text)}</pre>`;
};

const sectionOf = (call: Call): string => `<section>
<h2><span>${call.method}</span> <code>/${PREFIX}/${escaped(call.path)}</code></h2>
<p>${escaped(call.summary)} <em>${call.access}</em></p>
${tableOf(call.input)}${exampleOf(call)}
</section>`;

const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1rem; margin: 2rem 0 0; } h2 span { opacity: .8; font-weight: 400; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .15rem 1.5rem .15rem 0; }
p { margin: .2rem 0; } em { opacity: .8; } code, td { overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .5rem .75rem; border: 1px solid; border-radius: .3rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
@media (min-width: 50rem) { section { display: grid; grid-template-columns: 1fr 1fr; align-items: start; }
  h2, p { grid-column: 1 / -1; } }`;

/** Hash of the page's only style, so that the browser accepts it and no other. */
const styleHash = createHash('sha256').update(style).digest('base64');
const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`;

const docsPage = (calls: readonly Call[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quarterdeck calls</title><style>${style}</style></head><body><main><h1>Quarterdeck calls</h1>
<p>JSON over the session cookie. Calls that change something need the header <code>X-Requested-With</code>.
Each call has an example; the ids in it belong to nothing. The machine-readable form is
<a href="/api/docs-json">docs-json</a>.</p>
${calls.map(sectionOf).join('\n')}
</main></body></html>`;
