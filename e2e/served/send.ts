import { request } from 'node:http';

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown> & Record<string, unknown>[];
  text: string;
}

/** Asks a served API on its Unix socket. @param body a text is sent as it is */
export const send = (
  socketPath: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const json = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
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
