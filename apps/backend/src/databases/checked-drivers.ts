/** Keeps the drivers from obeying whatever a server sends. */
import type { Client } from 'pg';
import { AnswerTooLarge } from './bounded-stream';
import { checkedMessages } from './postgres-messages';
import type { TargetConnection } from './target-connection';

/** A table of MySQL has at most so many columns. */
const MAX_COLUMNS = 4096;

/** mysql2 reads as many columns as a server says, and throws at some packets where nobody catches it. */
export const checkPackets = (driver: object, connection: TargetConnection): void => {
  const inside = driver as { handlePacket(packet?: object): void; _command?: { _fieldCount?: number } };
  const handle = inside.handlePacket.bind(inside);
  inside.handlePacket = (packet) => {
    if (connection.isClosed) return;
    try {
      handle(packet);
    } catch (error) {
      connection.close(error as Error);
    }
    if ((inside._command?._fieldCount ?? 0) > MAX_COLUMNS)
      connection.close(new AnswerTooLarge(`${MAX_COLUMNS} columns`));
  };
};

/** Also what comes through TLS, which the driver adds to the stream. */
export const checkMessages = (client: Client, connection: TargetConnection): void => {
  const { connection: protocol } = client as unknown as {
    connection: { attachListeners(stream: NodeJS.EventEmitter): void };
  };
  const attach = protocol.attachListeners.bind(protocol);
  protocol.attachListeners = (stream) =>
    attach(
      checkedMessages(
        stream,
        (values) => connection.took(values),
        (error) => connection.close(error),
      ),
    );
};
