/**
 * Program of a proxy in front of pebble. It passes every call on, but refuses new orders while the file `refusal.json`
 * exists, and lets nobody have names validated while `hold` does. CommonJS, run in its own node process. Arguments: the folder, its port, the port of pebble.
 */
export const acmeDoor = `
const { existsSync, readFileSync } = require('node:fs');
const { createServer, request } = require('node:https');
const { join } = require('node:path');
const [folder, port, pebble] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name));

const refusal = () => {
  try {
    return JSON.parse(read('refusal.json'));
  } catch {
    return undefined;
  }
};
const refuse = ({ status, type, detail, retryAfter }, response) => {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
  if (type === undefined) {
    response.writeHead(status, { ...headers, 'Content-Type': 'text/html' });
    response.end('<html>busy</html>');
    return;
  }
  response.writeHead(status, { ...headers, 'Content-Type': 'application/problem+json; charset=utf-8' });
  response.end(JSON.stringify({ type: 'urn:ietf:params:acme:error:' + type, detail, status }, null, 2));
};
const pass = (asked, response) => {
  const { method, url: path, headers } = asked;
  const onward = request(
    { host: '127.0.0.1', port: pebble, method, path, headers, rejectUnauthorized: false, agent: false },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => response.destroy());
  asked.pipe(onward);
};

const whileHeld = (asked, response) => {
  if (existsSync(join(folder, 'hold'))) setTimeout(whileHeld, 50, asked, response);
  else pass(asked, response);
};

createServer({ key: read('srv.key'), cert: read('srv.pem') }, (asked, response) => {
  const refused = asked.method === 'POST' && asked.url === '/order-plz' ? refusal() : undefined;
  if (refused) refuse(refused, response);
  else if (asked.method === 'POST' && asked.url.startsWith('/chalZ/')) whileHeld(asked, response);
  else pass(asked, response);
}).listen(Number(port), '127.0.0.1');
`;
