/** Loaded before a program: kills it with SIGKILL right before it sends the text KILLED_BEFORE_SENDING to its database. */
import net from 'node:net';

const text = process.env.KILLED_BEFORE_SENDING;
const { write } = net.Socket.prototype;

net.Socket.prototype.write = function (chunk, ...more) {
  const sent = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
  if (sent.includes(text)) process.kill(process.pid, 'SIGKILL');
  return write.call(this, chunk, ...more);
};
