/** One connection that listens to Postgres notifications. */
import { LastingConnection } from './lasting-connection';

export interface NotificationOptions {
  connectionString: string;
  channel: string;
  onMessage: (payload: string) => void;
  /** Called after each connect, including the first: notifications that were missed have to be looked up. */
  onListening: () => void;
  onFault: (error: unknown) => void;
}

export class Notifications extends LastingConnection {
  constructor({ connectionString, channel, onMessage, onListening, onFault }: NotificationOptions) {
    super({
      connectionString,
      name: channel,
      onConnected: async (client) => {
        client.on('notification', (message) => onMessage(message.payload ?? ''));
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
        onListening();
      },
      onFault,
    });
  }
}
