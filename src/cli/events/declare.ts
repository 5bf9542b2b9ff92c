import type { Command } from 'commander';
import { SIGNATURE_ALGORITHMS, SIGNATURE_FORMATS } from '../../events/receiver.ts';
import { LIST_FORMATS } from '../formats.ts';
import { collect, group, sub, wholeNumber, type Act } from '../sub.ts';
import type { EventFilters } from './filters.ts';
import type { ListenFlags } from './listen-options.ts';

const PORT = wholeNumber(0, 65_535);
const DEFAULT_PORT = 8090;

/** Declares `herald events`. */
export function declareEvents(program: Command, act: Act): void {
  const events = group(program, 'events', 'receive the events of the service, and use them');
  declareListen(events, act);
  declareLists(events, act);
  declareUses(events, act);
}

const ROWS = wholeNumber(1, 1_000_000_000);

/** The filters of every command that reads events. */
function filtered(command: Command): Command {
  return command
    .option('--account <account>', 'only events of this account: an alias or an id (repeatable)', collect, [])
    .option(
      '--kind <pattern>',
      'only events of this kind; * matches any characters (repeatable)',
      collect,
      [],
    )
    .option('--fan <id>', 'only events of this fan')
    .option('--source <source>', 'webhook, or list for those that did not come')
    .option('--from <time>', 'received since: a date, a time, or an age such as 30d')
    .option('--to <time>', 'received until: a date, a time, or an age');
}

function declareLists(events: Command, act: Act): void {
  filtered(
    sub(
      events,
      'list',
      'list the stored events, newest first',
      ['herald events list --from 1d', "herald events list --kind 'fans.*' --account alice --format csv"],
      { formats: LIST_FORMATS },
    ),
  )
    .option('--limit <number>', 'stop after this many rows', ROWS)
    .option('--columns <names>', 'columns to show (table and csv)')
    .action((flags: EventFilters, command: Command) =>
      act(command, async (context) => (await import('./list.ts')).eventsListCommand(context, flags)),
    );
  filtered(
    sub(
      events,
      'tail',
      'print events as they are stored, until you interrupt it',
      ['herald events tail', "herald events tail --kind 'firewall.*' --format ndjson"],
      { formats: ['text', 'ndjson'] },
    ),
  )
    .option('--limit <number>', 'stop after this many events', ROWS)
    .action((flags: EventFilters, command: Command) =>
      act(command, async (context) => (await import('./tail.ts')).eventsTailCommand(context, flags)),
    );
  sub(events, 'show <EVENT>', 'show one event with its body as it came', ['herald events show 3f2a9c11d0'])
    .addHelpText('after', '\nEVENT is a ref of herald events list, or an id.')
    .action((name: string, _flags: unknown, command: Command) =>
      act(command, async (context) => (await import('./show.ts')).eventsShowCommand(context, name)),
    );
}

function declareUses(events: Command, act: Act): void {
  sub(
    events,
    'register <URL...>',
    'print what to enter in the settings of the service, and check its limits',
    ['herald events register https://events.example/events/SECRET'],
  )
    .option('--account <account>', 'limit the entry to this account (repeatable)', collect, [])
    .option(
      '--kind <kind>',
      'limit the entry to this kind (repeatable; default: all documented kinds)',
      collect,
      [],
    )
    .addHelpText('after', '\nGive all addresses of the organisation, so that its limits can be checked.')
    .action((urls: string[], flags: EventFilters, command: Command) =>
      act(command, async (context) =>
        (await import('./register.ts')).eventsRegisterCommand(context, urls, flags),
      ),
    );
  sub(events, 'reconcile', 'store the payments that lists show and that sent no event', [
    'herald events reconcile',
    'herald events reconcile --since 7d --format json',
  ])
    .option('--since <time>', 'a date, a time, or an age such as 7d', '2d')
    .action((flags: { readonly since: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./reconcile.ts')).eventsReconcileCommand(context, flags),
      ),
    );
  sub(events, 'forget <FAN>', 'erase the events of one fan', ['herald events forget 5550001 --yes'])
    .option('--yes', 'do not ask')
    .option('--unreadable', 'also erase events with a body that cannot be read')
    .action(
      (fan: string, flags: { readonly yes?: boolean; readonly unreadable?: boolean }, command: Command) =>
        act(command, async (context) =>
          (await import('./forget.ts')).eventsForgetCommand(context, fan, flags),
        ),
    );
}

function declareListen(events: Command, act: Act): void {
  sub(events, 'listen', 'store the events that the service sends, until you interrupt it', [
    'herald events listen',
    'herald events listen --signature-header x-svc-signature --signature-format prefixed',
    'herald events listen --host 0.0.0.0',
  ])
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', PORT, DEFAULT_PORT)
    .option(
      '--path-secret-file <file>',
      'file with the last part of the address (default: the variable HERALD_EVENTS_PATH_SECRET)',
    )
    .option('--signature-header <name>', 'check this header with HERALD_EVENTS_SECRET')
    .option('--signature-format <name>', `format of the signature: ${SIGNATURE_FORMATS.join(', ')}`, 'hex')
    .option(
      '--signature-algorithm <name>',
      `algorithm of the signature: ${SIGNATURE_ALGORITHMS.join(', ')}`,
      'sha256',
    )
    .option(
      '--reconcile-every <minutes>',
      'how often to compare the lists; 0 turns it off',
      wholeNumber(0, 1440),
      10,
    )
    .action((flags: ListenFlags, command: Command) =>
      act(command, async (context) => (await import('./listen.ts')).eventsListenCommand(context, flags)),
    );
}
