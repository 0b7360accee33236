import { request } from 'node:http';

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown> & Record<string, unknown>[];
  text: string;
}

/** Asks a served API on its Unix socket. @param body texts and bytes are sent as they are */
export const send = (
  socketPath: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const isAsItIs = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
    const json = isAsItIs ? body : JSON.stringify(body);
    const asked = request(
      {
        socketPath,
        method,
        path,
        agent: false,
        headers: {
          ...(json !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(json)),
          }),
          ...headers,
        },
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            body: (text === '' ? null : JSON.parse(text)) as Answer['body'],
          });
        });
      },
    );
    asked.on('error', reject);
    asked.end(json);
  });
