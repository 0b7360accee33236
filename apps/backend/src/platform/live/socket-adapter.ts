/**
 * socket.io on the same port, for the same origin only. The only code that knows the running server, for the metrics.
 */
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Server, ServerOptions } from 'socket.io';

/** Messages from clients are small: a position, the id of a run. */
const MAX_FRAME_BYTES = 16 * 1024;

export class SocketAdapter extends IoAdapter {
  private io: Server | undefined;

  constructor(app: INestApplicationContext) {
    super(app);
  }

  get clients(): number {
    return this.io?.engine.clientsCount ?? 0;
  }

  override createIOServer(port: number, options?: ServerOptions): Server {
    const io = super.createIOServer(port, {
      serveClient: false,
      maxHttpBufferSize: MAX_FRAME_BYTES,
      ...options,
    } as ServerOptions) as Server;
    this.io = io;
    return io;
  }
}
