import type { Command } from 'commander';
import { SIGNATURE_ALGORITHMS, SIGNATURE_FORMATS } from '../../events/signature.ts';
import { collect, group, sub, wholeNumber, type Act } from '../sub.ts';
import type { ListenFlags } from './listen-options.ts';

const PORT = wholeNumber(0, 65_535);
const DEFAULT_PORT = 8090;
const DEFAULT_HEALTH_PORT = 8091;

/** Declares `herald events`. */
export function declareEvents(program: Command, act: Act): void {
  const events = group(program, 'events', 'receive the events of the service, and use them');
  declareListen(events, act);
}

function declareListen(events: Command, act: Act): void {
  sub(events, 'listen', 'store the events that the service sends, until you interrupt it', [
    'herald events listen',
    'herald events listen --host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem',
    'herald events listen --signature-header x-svc-signature --signature-format prefixed',
    'herald events listen --workspace agency-eu --workspace agency-us',
  ])
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', PORT, DEFAULT_PORT)
    .option(
      '--health-port <number>',
      'port of /healthz and /readyz, on this machine only',
      PORT,
      DEFAULT_HEALTH_PORT,
    )
    .option(
      '--path-secret <secret>',
      'last part of the address (default: HERALD_EVENTS_PATH_SECRET, or a new one)',
    )
    .option('--tls-cert <file>', 'certificate chain, for HTTPS without a proxy')
    .option('--tls-key <file>', 'key of the certificate')
    .option('--signature-header <name>', 'check this header with HERALD_EVENTS_SECRET')
    .option('--signature-format <name>', `format of the signature: ${SIGNATURE_FORMATS.join(', ')}`, 'hex')
    .option(
      '--signature-algorithm <name>',
      `algorithm of the signature: ${SIGNATURE_ALGORITHMS.join(', ')}`,
      'sha256',
    )
    .option('--source <range>', 'accept events from this address or range only (repeatable)', collect, [])
    .option('--behind-proxy', 'take the sender from the last address of X-Forwarded-For')
    .option(
      '--pointer <name=path>',
      'where a fact is, such as account_id=/data/account/id (repeatable)',
      collect,
      [],
    )
    .option('--workspace <dir>', 'workspace that gets the events of its accounts (repeatable)', collect, [])
    .action((flags: ListenFlags, command: Command) =>
      act(command, async (context) => (await import('./listen.ts')).eventsListenCommand(context, flags)),
    );
}
